import { useState } from 'react';
import { useKeptDraft } from '../use-kept-draft.js';
import type { TableForm } from './table-form.js';

interface KeptForm {
  /** The revision of the draft that the form is based on. */
  readonly revision: number;
  readonly form: TableForm;
}

export interface TableDraft {
  readonly form: TableForm;
  readonly setForm: (form: TableForm) => void;
  readonly discard: () => void;
  /** Whether the form is based on an older revision of the draft. */
  readonly isStale: boolean;
  /** Whether the browser has stored the form, before a reload or since the last edit. */
  readonly isKept: boolean;
}

/** Returns the state of a table editor. Edits survive leaving the page and reloading it. */
export function useTableDraft(name: string, before: TableForm, revision: number): TableDraft {
  const [text, setText] = useKeptDraft(name);
  const [kept, setKept] = useState<KeptForm | null>(() => readKept(text));
  const keep = (next: KeptForm | null): void => {
    setKept(next);
    setText(next === null ? '' : JSON.stringify(next));
  };
  return {
    form: kept?.form ?? before,
    setForm: (form) => keep({ revision: kept?.revision ?? revision, form }),
    discard: () => keep(null),
    isStale: kept !== null && kept.revision !== revision,
    isKept: kept !== null,
  };
}

function readKept(text: string): KeptForm | null {
  if (text === '') return null;
  try {
    const kept = JSON.parse(text) as Partial<KeptForm>;
    return typeof kept.revision === 'number' && Array.isArray(kept.form?.columns) ? (kept as KeptForm) : null;
  } catch {
    return null;
  }
}

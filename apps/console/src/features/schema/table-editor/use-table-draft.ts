import { useState } from 'react';
import { usePersistedDraft } from '../use-persisted-draft.js';
import type { TableForm } from './table-form.js';

interface PersistedForm {
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
  readonly isRetained: boolean;
}

/** Returns the state of a table editor. Edits survive leaving the page and reloading it. */
export function useTableDraft(name: string, before: TableForm, revision: number): TableDraft {
  const [text, setText] = usePersistedDraft(name);
  const [persisted, setPersisted] = useState<PersistedForm | null>(() => readStored(text));
  const keep = (next: PersistedForm | null): void => {
    setPersisted(next);
    setText(next === null ? '' : JSON.stringify(next));
  };
  return {
    form: persisted?.form ?? before,
    setForm: (form) => keep({ revision: persisted?.revision ?? revision, form }),
    discard: () => keep(null),
    isStale: persisted !== null && persisted.revision !== revision,
    isRetained: persisted !== null,
  };
}

function readStored(text: string): PersistedForm | null {
  if (text === '') return null;
  try {
    const persisted = JSON.parse(text) as Partial<PersistedForm>;
    return typeof persisted.revision === 'number' && Array.isArray(persisted.form?.columns)
      ? (persisted as PersistedForm)
      : null;
  } catch {
    return null;
  }
}

import {
  useEffect,
  useRef,
  useState,
  type FunctionComponent,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import { fetchEarly } from '../../../ui/loading/fetch-early.js';
import classes from '../draft/plain-sql.module.css';
import type { SqlEditorProps } from './sql-editor.js';

let loaded: FunctionComponent<SqlEditorProps> | null = null;

async function loadEditor(): Promise<FunctionComponent<SqlEditorProps>> {
  loaded = (await import('./sql-editor.js')).SqlEditor;
  return loaded;
}

/**
 * A plain text field that the SQL editor replaces after the first input. The editor is a large chunk that
 * starts slowly on a phone, and users who only read do not need it. If the editor cannot be loaded, the plain
 * field stays. The editor takes over the position of the caret.
 */
export function LazySqlEditor(props: SqlEditorProps) {
  const [Editor, setEditor] = useState(() => loaded);
  const plain = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState<SqlEditorProps['caret']>(null);
  useEffect(() => {
    if (Editor !== null) return undefined;
    let isRemoved = false;
    fetchEarly(async () => {
      const found = await loadEditor();
      if (isRemoved) return;
      // The field is replaced synchronously, so that no key press is lost between the two fields.
      flushSync(() => {
        setCaret(readCaret(plain.current));
        setEditor(() => found);
      });
    });
    return () => {
      isRemoved = true;
    };
  }, [Editor]);
  return Editor === null ? <PlainSql {...props} field={plain} /> : <Editor {...props} caret={caret} />;
}

function readCaret(field: HTMLTextAreaElement | null): SqlEditorProps['caret'] {
  return field === null || document.activeElement !== field
    ? null
    : { from: field.selectionStart, to: field.selectionEnd };
}

function PlainSql({
  value,
  onChange,
  label,
  placeholder,
  heightMin = 90,
  heightMax = 520,
  onSubmit,
  field,
}: SqlEditorProps & { readonly field: RefObject<HTMLTextAreaElement | null> }) {
  const submit = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    const selected = value.slice(selectionStart, selectionEnd);
    onSubmit(...(selected.trim() === '' ? [] : [selected]));
  };
  return (
    <textarea
      ref={field}
      className={classes.plain}
      aria-label={label}
      value={value}
      placeholder={placeholder}
      spellCheck={false}
      style={{ minHeight: heightMin + 2, maxHeight: heightMax + 2 }}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={submit}
    />
  );
}

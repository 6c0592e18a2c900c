import { useRef, useState, type KeyboardEvent } from 'react';
import { toCellText } from '../../../data/rows/cell-text.js';
import { kindOf } from '../../../data/rows/column-kinds.js';
import { fromTimeInput, toTimeInput } from '../../../data/rows/time-input.js';
import type { ColumnView } from '../../../data/schema/read-tables.js';
import { readValue } from '../record/read-value.js';
import classes from '../rows.module.css';

/** The direction in which the active cell moves after an edit. */
export type EditEnd = 'down' | 'right' | 'left' | 'stay';

interface CellInputProps {
  readonly column: ColumnView;
  readonly value: unknown;
  /**
   * The character with which the user started typing, which replaces the value. Null if the user edits the
   * existing value.
   */
  readonly typed: string | null;
  readonly onCommit: (value: unknown, end: EditEnd) => void;
  readonly onCancel: () => void;
}

/** The editor of a cell. Enter, Tab and leaving the field keep the input; only Escape discards it. */
export function CellInput({ column, value, typed, onCommit, onCancel }: CellInputProps) {
  const [stored] = useState(() => toCellText(value));
  // A user who types a character edits the value as text.
  const [picker] = useState(() => (typed === null ? toTimeInput(column, stored) : null));
  const [text, setText] = useState(typed ?? picker?.value ?? stored);
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string | null>(null);
  const isFinished = useRef(false);
  const choices = listChoices(column);
  const end = (how: EditEnd): void => {
    if (isFinished.current) return;
    // The value of an incomplete date is empty, but it does not stand for NULL.
    if (picker !== null && input.current?.validity.badInput === true)
      return setFault('Complete the value, or press Esc to cancel.');
    const chosen = picker === null ? text : text === picker.value ? stored : fromTimeInput(column, text);
    const isUntouched = value === null && chosen === '' && typed === null;
    const read = isUntouched ? ({ kind: 'value', value: null } as const) : readValue(column, chosen);
    if (read.kind === 'fault') return setFault(read.fault);
    isFinished.current = true;
    onCommit(read.value, how);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Escape') {
      isFinished.current = true;
      onCancel();
    } else if (event.key === 'Enter') end('down');
    else if (event.key === 'Tab') end(event.shiftKey ? 'left' : 'right');
    else if (event.key === 's' && (event.ctrlKey || event.metaKey)) end('stay');
    else return;
    event.preventDefault();
  };
  const shared = {
    className: classes.input,
    'aria-label': column.name,
    'aria-invalid': fault !== null,
    autoFocus: true,
    onKeyDown,
    onBlur: () => end('stay'),
  };
  return (
    <>
      {choices ? (
        <select
          {...shared}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setFault(null);
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          ref={input}
          type={picker?.type ?? 'text'}
          step={picker?.step}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setFault(null);
          }}
          onFocus={(event) => {
            if (picker === null) placeCaret(event.currentTarget, typed !== null);
          }}
          placeholder={column.nullable ? 'NULL' : ''}
          spellCheck={false}
          autoComplete="off"
        />
      )}
      {fault === null ? null : (
        <span role="alert" className={classes.inputFault}>
          {fault}
        </span>
      )}
    </>
  );
}

/**
 * Places the caret after the typed character. If the existing value is edited, the whole value is selected.
 */
function placeCaret(input: HTMLInputElement, isTyping: boolean): void {
  if (isTyping) input.setSelectionRange(input.value.length, input.value.length);
  else input.select();
}

function listChoices(column: ColumnView): { value: string; label: string }[] | null {
  const kind = kindOf(column);
  const none = column.nullable ? [{ value: '', label: 'NULL' }] : [];
  if (kind === 'bool') return [...none, { value: 'true', label: 'true' }, { value: 'false', label: 'false' }];
  if (kind === 'enum' && column.labels)
    return [...none, ...column.labels.map((label) => ({ value: label, label }))];
  return null;
}

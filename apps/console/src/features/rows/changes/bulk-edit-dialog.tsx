import { Button, NativeSelect } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import type { ColumnView, TableView } from '../../../data/schema/read-tables.js';
import { DialogActions } from '../../../ui/dialogs/dialog-actions.js';
import { DialogFrame } from '../../../ui/dialogs/dialog-frame.js';
import { formatCountOf } from '../../../ui/formatting/format-number.js';
import { describeCell } from '../grid/describe-cell.js';
import type { GridRow } from '../grid/grid-row.js';
import { FieldEditor, type FieldText } from '../record/field-editor.js';
import { readValue, type TypedValue } from '../record/read-value.js';
import tools from '../tools.module.css';
import { CHANGES_MAX, findChange } from './staged-changes.js';
import type { RowEdits } from './use-row-edits.js';

interface BulkEditDialogProps {
  readonly opened: boolean;
  readonly table: TableView;
  readonly rows: readonly GridRow[];
  readonly edits: RowEdits;
  readonly onClose: () => void;
}

/** The maximum number of rows in the preview. */
const PREVIEW_ROWS_MAX = 20;

/** Sets one column of all selected rows. The changes are staged, and one save stores them together. */
export function BulkEditDialog({ opened, onClose, ...props }: BulkEditDialogProps) {
  return (
    <DialogFrame opened={opened} onClose={onClose} title={`Edit ${formatCountOf(props.rows.length, 'row')}`}>
      <BulkEditForm {...props} onClose={onClose} />
    </DialogFrame>
  );
}

function BulkEditForm({ table, rows, edits, onClose }: Omit<BulkEditDialogProps, 'opened'>) {
  const columns = listBulkColumns(table);
  const [name, setName] = useState(columns[0]?.name ?? '');
  const [text, setText] = useState<FieldText>(undefined);
  const [fault, setFault] = useState<string | undefined>(undefined);
  const column = columns.find((candidate) => candidate.name === name);
  const writable = rows.filter(
    (row) => (row.isNew || row.path !== null) && findChange(edits.history.staged, row.id)?.kind !== 'delete',
  );
  if (column === undefined) return <p className={tools.note}>This table has no column that you can edit.</p>;
  const typed = readField(column, text);
  const isTooMany = writable.length > CHANGES_MAX;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (typed === null) return setFault(`Enter a value for ${column.name}.`);
    if (typed.kind === 'fault') return setFault(typed.fault);
    if (edits.commitAll(writable, column, typed.value)) onClose();
  };
  return (
    <form className={tools.form} onSubmit={submit} aria-label="Edit selected rows">
      <NativeSelect
        size="xs"
        label="Column"
        data={columns.map((candidate) => candidate.name)}
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setText(undefined);
          setFault(undefined);
        }}
      />
      <FieldEditor
        key={name}
        column={column}
        value={text}
        fault={fault}
        isChanged={false}
        isReadOnly={false}
        isNew={false}
        onChange={(next) => {
          setText(next);
          setFault(undefined);
        }}
      />
      {typed?.kind === 'value' ? (
        <Preview column={column} rows={writable} edits={edits} value={typed.value} />
      ) : null}
      {isTooMany ? (
        <p className={tools.note} role="alert">
          You can edit at most {CHANGES_MAX} rows at once. Select fewer rows.
        </p>
      ) : null}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={writable.length === 0 || isTooMany}>
          Apply to {formatCountOf(writable.length, 'row')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Shows the present and the new value of the first rows. */
function Preview({
  column,
  rows,
  edits,
  value,
}: {
  column: ColumnView;
  rows: readonly GridRow[];
  edits: RowEdits;
  value: unknown;
}) {
  const rest = rows.length - PREVIEW_ROWS_MAX;
  return (
    <div className={tools.scroll} role="group" aria-label="Preview" tabIndex={0}>
      <table className={tools.mapping}>
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Now</th>
            <th scope="col">New</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, PREVIEW_ROWS_MAX).map((row) => (
            <tr key={row.id}>
              <td>{row.isNew ? 'New row' : row.path}</td>
              <td>{describeCell(column, edits.readCell(row, column)).text}</td>
              <td>{describeCell(column, value).text}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 ? <p className={tools.note}>{formatCountOf(rest, 'more row')}</p> : null}
    </div>
  );
}

/**
 * Returns the columns that can have the same value in several rows. A unique column and a key of one column
 * cannot.
 */
export function listBulkColumns({ columns, primaryKey }: TableView): readonly ColumnView[] {
  return columns.filter(
    ({ name, isGenerated, unique, autoIncrement }) =>
      !isGenerated && !unique && !autoIncrement && !(primaryKey.length === 1 && primaryKey[0] === name),
  );
}

/** Returns the value of the field, or null if nothing was entered. */
function readField(column: ColumnView, text: FieldText): TypedValue | null {
  if (text === undefined) return null;
  return text === null ? { kind: 'value', value: null } : readValue(column, text);
}

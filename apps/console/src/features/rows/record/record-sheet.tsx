import type { DatabaseResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { parseExactJson } from '../../../data/gateway/exact-json.js';
import type { RowFault } from '../../../data/rows/apply-changes.js';
import { toCellText, type Row, toRecordLabel } from '../../../data/rows/cell-text.js';
import { kindOf } from '../../../data/rows/column-kinds.js';
import { recordQuery } from '../../../data/rows/queries.js';
import type { ColumnView, TableView } from '../../../data/schema/read-tables.js';
import { QueryErrorNotice } from '../../../ui/notices/error-notice.js';
import { SideSheet } from '../../../ui/dialogs/side-sheet.js';
import { SkeletonRows } from '../../../ui/loading/skeleton.js';
import type { PageLocation } from '../../shell/pages.js';
import { BackReferences } from './back-references.js';
import { FieldEditor, type FieldText } from './field-editor.js';
import { readValue } from './read-value.js';
import classes from './record-sheet.module.css';
import { ReferenceNote } from './reference-note.js';
import type { StagedChange } from '../changes/staged-changes.js';

interface RecordSheetProps {
  readonly database: DatabaseResponse;
  readonly location: PageLocation;
  readonly table: TableView;
  readonly tables: readonly TableView[];
  /** The path of the stored record. Null for a new record. */
  readonly path: string | null;
  readonly change: StagedChange | undefined;
  readonly fault: RowFault | undefined;
  readonly isReadOnly: boolean;
  readonly canDelete: boolean;
  /** Called with the changed values: those that differ from the stored record, or all values of a new row. */
  readonly onStage: (values: Row, stored: Row | null, etag: string | null) => void;
  readonly onDelete: (stored: Row, etag: string | null) => void;
  readonly onClose: () => void;
}

/**
 * Shows one record with the full values of all fields. Edits are staged together with other changes until
 * they are saved.
 */
export function RecordSheet(props: RecordSheetProps) {
  const { database, table, path, change, isReadOnly, onClose } = props;
  const record = useQuery({ ...recordQuery(database, table, path ?? ''), enabled: path !== null });
  const isNew = path === null;
  const title = isNew ? `New row in ${table.name}` : `${table.name} ${toRecordLabel(path)}`;
  const stored = isNew ? {} : record.data?.values;
  return (
    <SideSheet
      title={title}
      note={isNew ? 'Fields you leave empty use their default.' : isReadOnly ? 'Read only.' : undefined}
      onClose={onClose}
    >
      {record.isLoading ? <SkeletonRows rows={6} height={44} /> : null}
      <QueryErrorNotice title="Couldn’t load the row" query={record} />
      {stored === undefined ? null : (
        <RecordForm key={record.dataUpdatedAt} {...props} stored={stored} etag={record.data?.etag ?? null}>
          {isNew || change?.kind === 'insert' ? null : (
            <BackReferences
              database={database}
              location={props.location}
              table={table}
              tables={props.tables}
              values={stored}
            />
          )}
        </RecordForm>
      )}
    </SideSheet>
  );
}

function RecordForm({
  database,
  location: pageLocation,
  table,
  tables,
  path,
  change,
  fault,
  isReadOnly,
  canDelete,
  onStage,
  onDelete,
  onClose,
  stored,
  etag,
  children,
}: RecordSheetProps & { readonly stored: Row; readonly etag: string | null; readonly children: ReactNode }) {
  const isNew = path === null;
  const form = useRef<HTMLFormElement>(null);
  const [texts, setTexts] = useState<Readonly<Record<string, FieldText>>>(() =>
    change === undefined || change.kind === 'delete' ? {} : toTexts(table, change.values),
  );
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>(fault?.columns ?? {});
  // The first invalid field gets the focus, because it may be outside the visible part of the form.
  useEffect(() => {
    if (Object.keys(faults).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults]);
  const storedText = (name: string): FieldText =>
    isNew
      ? undefined
      : toFieldText(
          table.columns.find((column) => column.name === name),
          stored[name],
        );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const values: Record<string, unknown> = {};
    const found: Record<string, string> = {};
    for (const column of table.columns) {
      const text = texts[column.name];
      if (text === undefined) {
        if (isNew && column.isRequired) found[column.name] = `${column.name} is required.`;
        continue;
      }
      const read = text === null ? ({ kind: 'value', value: null } as const) : readValue(column, text);
      if (read.kind === 'fault') found[column.name] = read.fault;
      else values[column.name] = read.value;
    }
    setFaults(found);
    if (Object.keys(found).length === 0) onStage(values, isNew ? null : stored, etag);
  };
  const set = (name: string, text: FieldText): void => setTexts((old) => ({ ...old, [name]: text }));
  return (
    <form ref={form} className={classes.form} onSubmit={submit} aria-label="Record">
      {table.columns.map((column) => {
        const text = texts[column.name];
        const value = text === undefined ? storedText(column.name) : text;
        return (
          <FieldEditor
            key={column.name}
            column={column}
            value={value}
            fault={faults[column.name]}
            isChanged={!isNew && text !== undefined && text !== storedText(column.name)}
            isReadOnly={isReadOnly}
            isNew={isNew}
            onChange={(next) => set(column.name, next)}
          >
            {column.references === null ? null : (
              <ReferenceNote
                database={database}
                location={pageLocation}
                column={column}
                tables={tables}
                value={value}
                isReadOnly={isReadOnly}
                onPick={(next) => set(column.name, next)}
              />
            )}
            {kindOf(column) === 'json' && value && !isReadOnly ? (
              <div className={classes.note}>
                <button
                  type="button"
                  className={classes.textButton}
                  onClick={() => set(column.name, indent(value))}
                >
                  Format
                </button>
              </div>
            ) : null}
          </FieldEditor>
        );
      })}
      {children}
      {isReadOnly ? null : (
        <div className={classes.actions}>
          {isNew || !canDelete ? null : (
            <Button variant="subtle" color="brick" onClick={() => onDelete(stored, etag)}>
              Delete row
            </Button>
          )}
          <span className={classes.gap} />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">{isNew ? 'Add row' : 'Apply'}</Button>
        </div>
      )}
    </form>
  );
}

function toTexts(table: TableView, values: Row): Record<string, FieldText> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      toFieldText(
        table.columns.find((column) => column.name === name),
        value,
      ),
    ]),
  );
}

/**
 * Returns the text that the editor shows for a value. JSON is indented for reading, and a SET is shown as its
 * labels.
 */
function toFieldText(column: ColumnView | undefined, value: unknown): FieldText {
  if (value === undefined || value === null) return value;
  if (column !== undefined && kindOf(column) === 'json') return JSON.stringify(value, null, 2);
  return Array.isArray(value) ? value.join(',') : toCellText(value);
}

function indent(text: string): string {
  try {
    return JSON.stringify(parseExactJson(text), null, 2);
  } catch {
    return text;
  }
}

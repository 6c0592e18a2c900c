import type { DatabaseResponse } from '@rowhouse/contracts';
import { useCallback, useMemo, useState } from 'react';
import type { RowChange } from '../../../data/rows/apply-changes.js';
import { makeRowPath } from '../../../data/rows/make-list-path.js';
import type { LiveSchema } from '../../../data/rows/queries.js';
import type { Row } from '../../../data/rows/cell-text.js';
import { useSaveChanges } from '../../../data/rows/save-changes.js';
import type { ColumnView, TableView } from '../../../data/schema/read-tables.js';
import { createGridRows, listNewRows, type GridRow } from '../grid/grid-row.js';
import type { CellPosition } from '../grid/cell-position.js';
import { pasteCells } from '../grid/cell-block.js';
import {
  CHANGES_MAX,
  findChange,
  requeueUnsent,
  stageDelete,
  stageInsert,
  stageUpdate,
  unstage,
  type Staged,
  type StagedChange,
  type StoredRow,
} from './staged-changes.js';
import type { TableRead } from '../use-table-rows.js';
import { useStaged } from './use-staged.js';
import { reportCount } from '../../../ui/formatting/format-number.js';

/** Stages, undoes and saves changes to the rows of one table. `message` is for screen readers. */
export function useRowEdits(
  database: DatabaseResponse,
  schema: LiveSchema,
  table: TableView,
  { stored, readStored, listKey }: TableRead,
) {
  const history = useStaged();
  const { staged, change, tell, settle } = history;
  const [message, setMessage] = useState('');
  const save = useSaveChanges(database, table, listKey);
  const toGridRows = useMemo(() => createGridRows(table), [table]);
  const storedRows = useMemo(() => toGridRows(stored), [toGridRows, stored]);
  // New rows come first, then the loaded rows in their order.
  const rows = useMemo(() => [...listNewRows(staged), ...storedRows], [storedRows, staged]);
  const isReadOnly = table.kind === 'view' || !schema.scopes.includes('write');
  const canDelete = !isReadOnly && schema.scopes.includes('delete');

  const { readCell, toStored } = useCellReader(table, staged, readStored);
  const stage = useCallback(
    (next: (now: Staged) => Staged) => {
      change((now) => {
        const to = next(now);
        return to.changes.length > CHANGES_MAX ? now : to;
      });
    },
    [change],
  );
  const setValues = useCallback(
    (row: GridRow, values: Row) => {
      stage((now) => putValues(now, row, values, toStored));
    },
    [stage, toStored],
  );
  const commit = useCallback(
    (row: GridRow, column: ColumnView, value: unknown) => setValues(row, { [column.name]: value }),
    [setValues],
  );
  const deleteRows = (requested: readonly GridRow[]): void => {
    if (!canDelete) return;
    if (requested.length > CHANGES_MAX)
      return setMessage(`You can save at most ${CHANGES_MAX} changes at once.`);
    stage((now) => deleteFrom(now, requested, toStored));
  };
  const paste = (cell: CellPosition, text: string, columns: readonly ColumnView[]): void => {
    const { pasted, rejected } = pasteCells(text, cell, rows, columns);
    stage((now) => pasted.reduce((so, { row, values }) => putValues(so, row, values, toStored), now));
    setMessage(
      rejected === 0
        ? `${reportCount(pasted.length, 'row')} pasted.`
        : `Couldn’t paste into ${rejected} cells.`,
    );
  };
  const submit = (): void => {
    if (staged.changes.length === 0 || save.isPending) return;
    save.mutate(staged.changes.map(toRowChange), {
      onSuccess: (applied) => {
        if (applied.kind === 'refused') return tell((now) => ({ ...now, faults: applied.faults }));
        settle((now) =>
          requeueUnsent(now, staged.changes, applied.answers, (values) => makeRowPath(table, values)),
        );
        setMessage('Saved.');
      },
    });
  };
  return {
    history,
    rows,
    message,
    save,
    isReadOnly,
    canDelete,
    readCell,
    toStored,
    stage,
    commit,
    deleteRows,
    paste,
    submit,
  };
}

/** Reads cells with their unsaved values, and rows as they are stored. */
function useCellReader(table: TableView, staged: Staged, readStored: TableRead['readStored']) {
  const readCell = useCallback(
    (row: GridRow, column: ColumnView): unknown => {
      const waiting = findChange(staged, row.id);
      return waiting?.kind === 'update' && column.name in waiting.values
        ? waiting.values[column.name]
        : readStored(row, column);
    },
    [staged, readStored],
  );
  const toStored = useCallback(
    (row: GridRow): StoredRow => ({
      id: row.id,
      path: row.path ?? '',
      etag: row.etag,
      values: Object.fromEntries(table.columns.map((column) => [column.name, readStored(row, column)])),
    }),
    [readStored, table],
  );
  return { readCell, toStored };
}

export type RowEdits = ReturnType<typeof useRowEdits>;

function putValues(staged: Staged, row: GridRow, values: Row, toStored: (row: GridRow) => StoredRow): Staged {
  return row.isNew
    ? stageInsert(staged, row.id, { ...row.values, ...values })
    : stageUpdate(staged, toStored(row), values);
}

/** Stages the deletion of stored rows, and discards new ones. */
function deleteFrom(staged: Staged, rows: readonly GridRow[], toStored: (row: GridRow) => StoredRow): Staged {
  const created = rows.filter((row) => row.isNew).map((row) => row.id);
  return stageDelete(unstage(staged, created), rows.filter((row) => row.path !== null).map(toStored));
}

function toRowChange(staged: StagedChange): RowChange {
  if (staged.kind === 'insert')
    return { kind: 'insert', id: staged.id, path: null, etag: null, values: staged.values };
  return {
    kind: staged.kind,
    id: staged.id,
    path: staged.path,
    etag: staged.etag,
    values: staged.kind === 'update' ? staged.values : {},
  };
}

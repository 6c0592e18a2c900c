import type { DatabaseResponse } from '@rowhouse/contracts';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { RowChange } from '../../../data/rows/apply-changes.js';
import { makeRowPath } from '../../../data/rows/make-list-path.js';
import type { LiveSchema } from '../../../data/rows/queries.js';
import type { Row } from '../../../data/rows/cell-text.js';
import { useSaveChanges } from '../../../data/rows/save-changes.js';
import type { ColumnView, TableView } from '../../../data/schema/read-tables.js';
import { createGridRows, listNewRows, type GridRow } from '../grid/grid-row.js';
import type { CellPosition } from '../grid/cell-position.js';
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
import { showToast } from '../../../ui/notices/toasts.js';
import { formatCountOf } from '../../../ui/formatting/format-number.js';

const LIMIT_TEXT = `You can save at most ${CHANGES_MAX} changes at once. Save or discard some first.`;

/** Stages, undoes and saves changes to the rows of one table. `message` is for screen readers. */
export function useRowEdits(
  database: DatabaseResponse,
  schema: LiveSchema,
  table: TableView,
  { stored, readStored, listKey }: TableRead,
) {
  const history = useStaged();
  const { staged, change, setFaults, finishSave } = history;
  const [message, setMessage] = useState('');
  /**
   * For each save, the staged changes that were sent. If a save is repeated, the response may report that the
   * first attempt succeeded.
   */
  const sentAs = useRef(new WeakMap<readonly RowChange[], readonly StagedChange[]>());
  const save = useSaveChanges(database, table, listKey);
  const toGridRows = useMemo(() => createGridRows(table), [table]);
  const storedRows = useMemo(() => toGridRows(stored), [toGridRows, stored]);
  // New rows come first. The loaded rows follow in their order.
  const rows = useMemo(() => [...listNewRows(staged), ...storedRows], [storedRows, staged]);
  const isReadOnly = table.kind === 'view' || !schema.scopes.includes('write');
  const canDelete = !isReadOnly && schema.scopes.includes('delete');

  const { readCell, toStored } = useCellReader(table, staged, readStored);
  const stage = useCallback(
    (next: (now: Staged) => Staged): boolean => {
      const isStaged = change(next);
      if (!isStaged) showToast({ text: LIMIT_TEXT, tone: 'brick' });
      return isStaged;
    },
    [change],
  );
  /** Stages one value of a column for several rows. Returns false if there would be too many changes. */
  const commitAll = useCallback(
    (changed: readonly GridRow[], column: ColumnView, value: unknown): boolean =>
      stage((now) =>
        changed.reduce((staging, row) => putValues(staging, row, { [column.name]: value }, toStored), now),
      ),
    [stage, toStored],
  );
  const commit = useCallback(
    (row: GridRow, column: ColumnView, value: unknown) => void commitAll([row], column, value),
    [commitAll],
  );
  const deleteRows = (selected: readonly GridRow[]): boolean =>
    canDelete && stage((now) => deleteFrom(now, selected, toStored));
  const paste = async (cell: CellPosition, text: string, columns: readonly ColumnView[]): Promise<void> => {
    const { pasteCells } = await import('../grid/paste-cells.js');
    const { pasted, rejected } = pasteCells(text, cell, rows, columns);
    const isStaged = stage((now) =>
      pasted.reduce((staging, { row, values }) => putValues(staging, row, values, toStored), now),
    );
    if (!isStaged) return setMessage('');
    setMessage(
      rejected === 0
        ? `${formatCountOf(pasted.length, 'row')} pasted.`
        : `Couldn’t paste into ${formatCountOf(rejected, 'cell')}.`,
    );
  };
  const submit = (): void => {
    if (staged.changes.length === 0 || save.isPending) return;
    const changes = staged.changes.map(toRowChange);
    sentAs.current.set(changes, staged.changes);
    save.mutate(changes, {
      onSuccess: (result) => {
        if (result.kind === 'rejected') return setFaults(result.faults);
        const sent = sentAs.current.get(result.sent) ?? [];
        finishSave((now) => requeueUnsent(now, sent, result.saved, (values) => makeRowPath(table, values)));
        setMessage(
          result.sent === changes
            ? 'Saved.'
            : 'Your earlier save succeeded. Save again to store your later changes.',
        );
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
    commitAll,
    deleteRows,
    paste,
    submit,
  };
}

/** Returns functions that read cells with their unsaved values, and rows as they are stored. */
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

/** Stages the deletion of stored rows. Rows that were never saved are discarded. */
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

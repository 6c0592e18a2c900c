import type { RowFault, SavedChange } from '../../data/rows/apply-changes.js';
import { toCellText } from '../../data/rows/cell-text.js';
import type { Row } from '../../data/rows/row.js';

/** A change that waits to be saved. `id` is that of the row in the grid. */
export type StagedChange =
  | { readonly kind: 'insert'; readonly id: string; readonly values: Row }
  | { readonly kind: 'update'; readonly id: string; readonly path: string; readonly before: Row; readonly etag: string | null; readonly values: Row }
  | { readonly kind: 'delete'; readonly id: string; readonly path: string; readonly before: Row; readonly etag: string | null };

export interface Staged {
  readonly changes: readonly StagedChange[];
  readonly faults: Readonly<Record<string, RowFault>>;
}

export const NOTHING_STAGED: Staged = { changes: [], faults: {} };

/** As many as one batch takes. */
export const CHANGES_MAX = 100;

/** A stored row that changes are about. */
export interface StoredRow {
  readonly id: string;
  /** Of the record below its table: `7`, or `3,2`. */
  readonly path: string;
  readonly values: Row;
  readonly etag: string | null;
}

export function findChange(staged: Staged, id: string): StagedChange | undefined {
  return staged.changes.find((change) => change.id === id);
}

/** Sets values of a stored row; what is as it was is no change any more. */
export function stageUpdate(staged: Staged, row: StoredRow, values: Row): Staged {
  const before = findChange(staged, row.id);
  const merged = Object.entries({ ...(before?.kind === 'update' ? before.values : {}), ...values });
  const changed = Object.fromEntries(merged.filter(([name, value]) => !isSame(row.values[name], value)));
  const etag = before?.kind === 'update' ? before.etag : row.etag;
  return put(staged, row.id, Object.keys(changed).length === 0 ? null : { kind: 'update', id: row.id, path: row.path, before: row.values, etag, values: changed });
}

export function stageDelete(staged: Staged, rows: readonly StoredRow[]): Staged {
  return rows.reduce((so, row) => put(so, row.id, { kind: 'delete', id: row.id, path: row.path, before: row.values, etag: row.etag }), staged);
}

/** A new row, or other values of one that waits. */
export function stageInsert(staged: Staged, id: string, values: Row): Staged {
  return put(staged, id, { kind: 'insert', id, values });
}

/** Takes changes back; the rows are as they are stored. */
export function unstage(staged: Staged, ids: readonly string[]): Staged {
  return ids.reduce((so, id) => put(so, id, null), staged);
}

/** The change shall stand though somebody else has changed the row: it now goes on top of what they saved. */
export function keepMine(staged: Staged, id: string): Staged {
  const change = findChange(staged, id);
  const conflict = staged.faults[id]?.conflict;
  if (change === undefined || change.kind === 'insert' || !conflict || conflict.current === null) return staged;
  return put(staged, id, { ...change, etag: conflict.etag, before: conflict.current });
}

/**
 * What waits still once `sent` was saved: changes that were made meanwhile go on top of what is stored now. `toPath`: where a
 * stored row stands, null where it cannot be told.
 */
export function keepUnsent(staged: Staged, sent: readonly StagedChange[], saved: readonly SavedChange[], toPath: (values: Row) => string | null): Staged {
  const changes = staged.changes.flatMap((change): readonly StagedChange[] => {
    if (sent.includes(change)) return [];
    const before = sent.find(({ id }) => id === change.id);
    const stored = saved.find(({ id }) => id === change.id);
    if (before === undefined || stored === undefined) return [change];
    // It was deleted, or gave nothing back: what was meant for it has nowhere to go.
    const path = stored.values === null ? null : toPath(stored.values);
    if (stored.values === null || path === null) return [];
    const row: StoredRow = { id: path, path, values: stored.values, etag: stored.etag };
    return change.kind === 'delete' ? stageDelete(NOTHING_STAGED, [row]).changes : stageUpdate(NOTHING_STAGED, row, change.values).changes;
  });
  return { changes, faults: {} };
}

function put(staged: Staged, id: string, change: StagedChange | null): Staged {
  const { [id]: _settled, ...faults } = staged.faults;
  const at = staged.changes.findIndex((candidate) => candidate.id === id);
  if (change === null) return { changes: staged.changes.filter((candidate) => candidate.id !== id), faults };
  return { changes: at < 0 ? [...staged.changes, change] : staged.changes.with(at, change), faults };
}

/** NULL is not the empty text; a number is the same in text. */
function isSame(stored: unknown, typed: unknown): boolean {
  if (stored === null || typed === null) return stored === typed;
  return stored !== undefined && toCellText(stored) === toCellText(typed) && (typeof stored === 'object') === (typeof typed === 'object');
}

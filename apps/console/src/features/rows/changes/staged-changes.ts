import type { RowFault, SavedChange } from '../../../data/rows/apply-changes.js';
import { toCellText, type Row } from '../../../data/rows/cell-text.js';

/** An unsaved change. `id` is the id of its row in the grid. */
export type StagedChange =
  | { readonly kind: 'insert'; readonly id: string; readonly values: Row }
  | {
      readonly kind: 'update';
      readonly id: string;
      readonly path: string;
      readonly before: Row;
      readonly etag: string | null;
      readonly values: Row;
    }
  | {
      readonly kind: 'delete';
      readonly id: string;
      readonly path: string;
      readonly before: Row;
      readonly etag: string | null;
    };

export interface Staged {
  readonly changes: readonly StagedChange[];
  readonly faults: Readonly<Record<string, RowFault>>;
}

export const NOTHING_STAGED: Staged = { changes: [], faults: {} };

/** The maximum number of changes that are saved together. */
export const CHANGES_MAX = 100;

/** A stored row that the user changes. */
export interface StoredRow {
  readonly id: string;
  /** The path of the record below its table, such as `7` or `3,2`. */
  readonly path: string;
  readonly values: Row;
  readonly etag: string | null;
}

export function findChange(staged: Staged, id: string): StagedChange | undefined {
  return staged.changes.find((change) => change.id === id);
}

/** Stages new values of a stored row. If a value equals the stored one, it is no longer staged. */
export function stageUpdate(staged: Staged, row: StoredRow, values: Row): Staged {
  const before = findChange(staged, row.id);
  const merged = Object.entries({ ...(before?.kind === 'update' ? before.values : {}), ...values });
  const changed = Object.fromEntries(merged.filter(([name, value]) => !isSame(row.values[name], value)));
  const etag = before?.kind === 'update' ? before.etag : row.etag;
  return replaceChange(
    staged,
    row.id,
    Object.keys(changed).length === 0
      ? null
      : { kind: 'update', id: row.id, path: row.path, before: row.values, etag, values: changed },
  );
}

export function stageDelete(staged: Staged, rows: readonly StoredRow[]): Staged {
  return rows.reduce(
    (result, row) =>
      replaceChange(result, row.id, {
        kind: 'delete',
        id: row.id,
        path: row.path,
        before: row.values,
        etag: row.etag,
      }),
    staged,
  );
}

/** Stages a new row, or replaces the values of a new row that is not saved yet. */
export function stageInsert(staged: Staged, id: string, values: Row): Staged {
  return replaceChange(staged, id, { kind: 'insert', id, values });
}

/** Removes staged changes, so that these rows have their stored values again. */
export function unstage(staged: Staged, ids: readonly string[]): Staged {
  return ids.reduce((result, id) => replaceChange(result, id, null), staged);
}

/** Stages discarded changes again. Values that were staged since the discard take precedence. */
export function restoreDiscarded(staged: Staged, discarded: Staged): Staged {
  return staged.changes.reduce((restored, newer) => {
    const before = findChange(restored, newer.id);
    const isMerged = before?.kind === 'update' && newer.kind === 'update';
    const change = isMerged ? { ...newer, values: { ...before.values, ...newer.values } } : newer;
    const next = replaceChange(restored, newer.id, change);
    const fault = staged.faults[newer.id];
    return fault === undefined ? next : { ...next, faults: { ...next.faults, [newer.id]: fault } };
  }, discarded);
}

/**
 * Keeps the user's change of a row that someone else has changed in the meantime. The change then applies to
 * the row as the other user saved it.
 */
export function keepMine(staged: Staged, id: string): Staged {
  const change = findChange(staged, id);
  const conflict = staged.faults[id]?.conflict;
  if (change === undefined || change.kind === 'insert' || !conflict || conflict.current === null)
    return staged;
  return replaceChange(staged, id, { ...change, etag: conflict.etag, before: conflict.current });
}

/**
 * Returns the changes that remain after `sent` was saved. Changes that were made during the save are applied
 * to the new stored values. `toPath` returns the path of a stored row, or null if it is unknown.
 */
export function requeueUnsent(
  staged: Staged,
  sent: readonly StagedChange[],
  saved: readonly SavedChange[],
  toPath: (values: Row) => string | null,
): Staged {
  const changes = staged.changes.flatMap((change): readonly StagedChange[] => {
    if (sent.includes(change)) return [];
    const before = sent.find(({ id }) => id === change.id);
    const stored = saved.find(({ id }) => id === change.id);
    if (before === undefined || stored === undefined) return [change];
    const path = stored.values === null ? null : toPath(stored.values);
    // The row was deleted, or the server returned no row. A later change keeps its old ETag, so the next save
    // reports a conflict. A new row of unknown path is dropped, because it would be inserted twice.
    if (stored.values === null || path === null) return change.kind === 'insert' ? [] : [change];
    const row: StoredRow = { id: path, path, values: stored.values, etag: stored.etag };
    return change.kind === 'delete'
      ? stageDelete(NOTHING_STAGED, [row]).changes
      : stageUpdate(NOTHING_STAGED, row, change.values).changes;
  });
  return { changes, faults: {} };
}

function replaceChange(staged: Staged, id: string, change: StagedChange | null): Staged {
  const { [id]: _settled, ...faults } = staged.faults;
  const index = staged.changes.findIndex((candidate) => candidate.id === id);
  if (change === null) return { changes: staged.changes.filter((candidate) => candidate.id !== id), faults };
  return { changes: index < 0 ? [...staged.changes, change] : staged.changes.with(index, change), faults };
}

/**
 * Returns whether a stored value equals a typed one. NULL differs from an empty string, and a number equals
 * its text.
 */
function isSame(stored: unknown, typed: unknown): boolean {
  if (stored === null || typed === null) return stored === typed;
  return (
    stored !== undefined &&
    toCellText(stored) === toCellText(typed) &&
    (typeof stored === 'object') === (typeof typed === 'object')
  );
}

import { setTimeout as pause } from 'node:timers/promises';
import { quoteName } from '@rowhouse/mysql';
import type { Run } from '../run-state.js';
import { createThrottle } from '../locks/throttle.js';
import { isRowsLocked, withCopySession } from './copy-session.js';
import type { KeyColumn, RebuildMember, RebuildPosition } from '@rowhouse/platform-store';
import { chunkColumns, compareKey, findBound } from './key-column.js';
import type { NotePosition, RowWork } from './rebuild-notes.js';
import { makeRebuildNames } from './rebuild-names.js';

const CHUNK = { chunkMs: 12, rowsFirst: 200, rowsMin: 5, rowsMax: 5_000 };

/**
 * Fills the shadow tables, one table after the other, starting at the position `from`. Rows may be copied
 * twice without harm, so the stored position may be older than the copy itself. If the new type rejects a
 * value, the server's error is thrown.
 */
export async function copyRows({ run, step, details, from, note }: RowWork): Promise<void> {
  await withCopySession(run, async () => {
    let { rowsDone } = from;
    for (const member of details.members.slice(from.at)) {
      rowsDone = await copyMember(
        run,
        step,
        member,
        { at: member.at, after: member.at === from.at ? from.after : null, rowsDone },
        note,
      );
    }
  });
}

async function copyMember(
  run: Run,
  step: number,
  member: RebuildMember,
  from: RebuildPosition,
  note: NotePosition,
): Promise<number> {
  const columns = chunkColumns(member.keyColumns);
  const throttle = createThrottle(CHUNK);
  const { shadow } = makeRebuildNames(run.migration.id, step, member.at);
  const source = { table: quoteName(member.details.table), keyIndex: member.keyIndex };
  let { after, rowsDone } = from;
  for (;;) {
    const bound = await findBound(run.connection, source, columns, after, throttle.rows);
    const startedAt = performance.now();
    const copied = await copyChunk(run, member, shadow, columns, after, bound);
    if (copied === null) {
      await note({ at: member.at, after, rowsDone });
      await pause(throttle.blocked());
      continue;
    }
    rowsDone += copied;
    const delayMs = throttle.done(performance.now() - startedAt, copied);
    if (bound === null) {
      await note({ at: member.at + 1, after: null, rowsDone });
      return rowsDone;
    }
    after = bound;
    run.ctx.failPoint('rebuild-chunk');
    await note({ at: member.at, after, rowsDone });
    await pause(delayMs);
  }
}

/**
 * Copies the rows in `(after, bound]`. Returns null when a row is locked by another session. The rows stay
 * locked for reading until the chunk is inserted, so no row can change in between. If a capture trigger has
 * already written a row to the shadow table, this row is not overwritten.
 */
async function copyChunk(
  run: Run,
  member: RebuildMember,
  shadow: string,
  columns: readonly KeyColumn[],
  after: readonly string[] | null,
  bound: readonly string[] | null,
): Promise<number | null> {
  const range = [
    after === null ? null : compareKey(columns, after, '>', 't.'),
    bound === null ? null : compareKey(columns, bound, '<=', 't.'),
  ].filter((term) => term !== null);
  try {
    const { affectedRows } = await run.connection.run(
      copySql(run, member, shadow, range.length === 0 ? 'TRUE' : range.join(' AND ')),
    );
    return affectedRows;
  } catch (error) {
    if (isRowsLocked(error)) return null;
    throw error;
  }
}

/** Returns the INSERT statement that copies rows. `where` refers to the table as `t`. */
export function copySql(
  run: Run,
  member: RebuildMember,
  shadow: string,
  where: string,
  onDuplicate?: string,
): string {
  const { details } = member;
  const names = [...details.columns.map((column) => column.to), ...member.filled.map((column) => column.name)]
    .map(quoteName)
    .join(', ');
  const values = [
    ...details.columns.map((column) => `t.${quoteName(column.from)}`),
    ...member.filled.map((column) => column.value),
  ].join(', ');
  const key = quoteName(details.shadowKey[0] ?? '');
  const noWait = run.server.engine === 'mariadb' ? 'LOCK IN SHARE MODE NOWAIT' : 'FOR SHARE NOWAIT';
  return `INSERT INTO ${quoteName(shadow)} (${names}) SELECT ${values} FROM ${quoteName(details.table)} t FORCE INDEX (${quoteName(member.keyIndex)})
    WHERE ${where} ${noWait} ON DUPLICATE KEY UPDATE ${onDuplicate ?? `${quoteName(shadow)}.${key} = ${quoteName(shadow)}.${key}`}`;
}

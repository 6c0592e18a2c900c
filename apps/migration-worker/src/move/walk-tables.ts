import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@rowhouse/errors';
import type { KeyColumn } from '@rowhouse/platform-store';
import { chunkColumns, compareKey, findBound } from '../online-ddl/rebuild/key-column.js';
import { createThrottle } from '../online-ddl/locks/throttle.js';
import type { MovedTable, MoveDetails } from './move-run.js';
import { nameOf } from './move-names.js';
import { assertMayMove, type MovePosition, type MoveRun } from './move-run.js';
import { readText, selectRows } from './row-writer.js';
import { digestRows, digestTarget, syncRound, type RowRange } from './sync-round.js';

/**
 * The sizes of chunks in rows, and the target time for reading one in milliseconds. Chunks may be large,
 * because reading them locks no rows of the source.
 */
const CHUNK = { chunkMs: 250, rowsFirst: 1_000, rowsMin: 200, rowsMax: 10_000 };
const WIDE_ROWS_MIN = 5;
/** The maximum size of a chunk in characters. A chunk is held in memory as text. */
const PIECE_CHARS = 2 * 1024 * 1024;
const CANCEL_CHECK_MS = 500;

export type NoteMove = (position: MovePosition) => Promise<void>;

/** Copies every table in chunks, and copies concurrent writes as well. */
export async function copyTables(
  run: MoveRun,
  details: MoveDetails,
  from: MovePosition,
  note: NoteMove,
): Promise<void> {
  const checkOut = createWatcher(run);
  let position = from;
  for (const table of details.tables.slice(from.at)) {
    if (table.key === null) {
      const { rowsWritten } = await syncRound(run, details, { whole: [table] });
      position = { at: table.no, after: null, rowsDone: position.rowsDone + rowsWritten };
    } else {
      const after = table.no === from.at ? from.after : null;
      position = await walk(
        run,
        table,
        table.key,
        { ...position, at: table.no, after },
        note,
        async (read) => {
          const { piece: range } = await syncRound(run, details, { read, writes: true });
          run.ctx.failPoint('move-piece');
          await checkOut();
          return range;
        },
      );
    }
    position = { at: table.no + 1, after: null, rowsDone: position.rowsDone };
    await note(position);
    await checkOut();
  }
}

/**
 * Compares every table with its copy, by row count and by the sum of row hashes, and copies differing chunks
 * again. Each chunk is compared in one consistent snapshot, after all earlier writes were copied. Returns the
 * number of repaired rows.
 */
export async function compareTables(
  run: MoveRun,
  details: MoveDetails,
  from: MovePosition,
  note: NoteMove,
): Promise<number> {
  const checkOut = createWatcher(run);
  let repaired = 0;
  for (const table of details.tables.slice(from.at)) {
    if (table.key === null) repaired += await compareWhole(run, details, table);
    else {
      const start: MovePosition = {
        at: table.no,
        after: table.no === from.at ? from.after : null,
        rowsDone: 0,
      };
      await walk(run, table, table.key, start, note, async (read) => {
        const { piece: range } = await syncRound(run, details, { read });
        if (range !== null && !(await isEqual(run, range))) {
          repaired += range.rows.length + 1;
          await syncRound(run, details, { read, writes: true });
        }
        run.ctx.failPoint('move-compare');
        await checkOut();
        return range;
      });
    }
    await note({ at: table.no + 1, after: null, rowsDone: 0 });
  }
  return repaired;
}

async function isEqual(run: MoveRun, range: RowRange): Promise<boolean> {
  const [expected, found] = [digestRows(range.rows), await digestTarget(run, range.table, range.range)];
  return expected.rows === found.rows && expected.digest === found.digest;
}

/** Compares a table without a key, and copies it as a whole if it differs. */
async function compareWhole(run: MoveRun, details: MoveDetails, table: MovedTable): Promise<number> {
  const { piece: range } = await syncRound(run, details, {
    isThorough: true,
    read: () => readPiece(run, table, 'TRUE'),
  });
  if (range === null || (await isEqual(run, range))) return 0;
  await syncRound(run, details, { whole: [table] });
  return range.rows.length + 1;
}

type ReadNextRange = () => Promise<RowRange | null>;

/**
 * Walks through a table by ranges of its key. For each range, `visit` calls `read` within a round of
 * replication.
 */
async function walk(
  run: MoveRun,
  table: MovedTable,
  key: readonly KeyColumn[],
  from: MovePosition,
  note: NoteMove,
  visit: (read: ReadNextRange) => Promise<RowRange | null>,
): Promise<MovePosition> {
  const columns = chunkColumns(key);
  const throttle = createThrottle(CHUNK);
  let { after, rowsDone } = from;
  let rowsMax: number = CHUNK.rowsMax;
  for (;;) {
    const startedAt = performance.now();
    const requestCount = Math.min(throttle.rows, rowsMax);
    let bound: readonly string[] | null = null;
    const read = async (): Promise<RowRange | null> => {
      bound = await findBound(
        run.source,
        { table: nameOf(table), keyIndex: table.keyIndex },
        columns,
        after,
        requestCount,
      );
      const range = [
        after === null ? null : compareKey(columns, after, '>', ''),
        bound === null ? null : compareKey(columns, bound, '<=', ''),
      ].filter((term) => term !== null);
      return readPiece(run, table, range.length === 0 ? 'TRUE' : range.join(' AND '));
    };
    const rowRange = await visit(read);
    const rows = rowRange?.rows ?? [];
    rowsDone += rows.length;
    // If rows are wide, chunks have fewer rows.
    const chars = rows.reduce((sum, text) => sum + text.length, 0);
    if (rows.length > 0)
      rowsMax = Math.max(
        WIDE_ROWS_MIN,
        Math.min(CHUNK.rowsMax, Math.floor((PIECE_CHARS * rows.length) / Math.max(chars, 1))),
      );
    if (bound === null) return { at: table.no, after: null, rowsDone };
    after = bound;
    const delayMs = throttle.done(performance.now() - startedAt, rows.length);
    await note({ at: table.no, after, rowsDone });
    await pause(delayMs);
  }
}

async function readPiece({ source }: MoveRun, table: MovedTable, range: string): Promise<RowRange> {
  const rows: string[] = [];
  let chars = 0;
  for await (const row of source.stream<{ t: string | null }>(selectRows(table, range))) {
    const text = readText(table, row.t);
    rows.push(text);
    chars += text.length;
    if (chars > WHOLE_CHARS_MAX)
      throw new AppError('transfer.not_possible', {
        detail: `${table.name} has no primary key and is too large to be compared.`,
        hint: 'Add a primary key to the table.',
      });
  }
  return { table, range, rows };
}

/** The maximum size in characters of tables that cannot be read in chunks. */
const WHOLE_CHARS_MAX = 256 * 1024 * 1024;

/** Checks the lease, the sessions and cancellation from time to time. */
function createWatcher(run: MoveRun): () => Promise<void> {
  let nextAt = 0;
  return async () => {
    run.lease.assertHeld();
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + CANCEL_CHECK_MS;
    await assertMayMove(run);
  };
}

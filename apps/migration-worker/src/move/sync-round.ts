import { matchKeys } from './key-text.js';
import { deleteEntries, readLedger, type LedgerView } from './ledger.js';
import { ledgerOf } from './capture-text.js';
import type { MovedTable, MoveDetails, MoveRun } from './move-run.js';
import { nameOf } from './move-names.js';
import { readText, RowWriter, selectRows } from './row-writer.js';
import { createRowDigest } from '../transfer/row-text.js';

const KEYS_PER_STATEMENT = 200;

/** A range of rows of a table between two keys, in the consistent snapshot of a round. */
export interface RowRange {
  readonly table: MovedTable;
  /** The SQL condition for the range. It refers to the table without an alias. */
  readonly range: string;
  readonly rows: readonly string[];
}

export interface RoundTasks {
  /** Reads a chunk of rows within the round's consistent snapshot. Returns null when no rows are left. */
  readonly read?: () => Promise<RowRange | null>;
  /** Whether the chunk replaces the rows in its range on the target. */
  readonly writes?: boolean;
  /** Tables without a key that must be copied again as a whole. Tables with writes are copied again anyway. */
  readonly whole?: readonly MovedTable[];
  /** Whether to copy a table without a key again if one of its rows was written. */
  readonly isThorough?: boolean;
}

export interface RoundResult {
  readonly piece: RowRange | null;
  /** The rows that were written since the last round. */
  readonly noted: LedgerView;
  readonly rowsWritten: number;
}

/**
 * Runs one round of replication. A round copies all changes committed since the last round, together with one
 * chunk of a table. Both are read in one consistent snapshot and written to the target in one transaction.
 *
 * After each round, the copied part of the target equals the source at one point in time. Unique keys
 * therefore cannot conflict, and chunks can be compared at any time.
 */
export async function syncRound(
  run: MoveRun,
  details: MoveDetails,
  tasks: RoundTasks = {},
): Promise<RoundResult> {
  const { source, target } = run;
  const ledger = ledgerOf(run);
  await source.run('START TRANSACTION WITH CONSISTENT SNAPSHOT');
  let done: { result: RoundResult; seqs: readonly string[] };
  try {
    const noted = await readLedger(source, target, ledger, details);
    const whole = new Set(tasks.whole ?? []);
    if (tasks.isThorough === true) for (const no of noted.whole.keys()) whole.add(tableOf(details, no));
    const range = (await tasks.read?.()) ?? null;
    await target.run('START TRANSACTION');
    try {
      const rowsWritten = await bringOver(
        run,
        details,
        noted,
        range !== null && tasks.writes === true ? range : null,
        [...whole],
      );
      await target.run('COMMIT');
      const seqs = [...noted.seqs, ...[...whole].flatMap((table) => noted.whole.get(table.no) ?? [])];
      done = { result: { piece: range, noted, rowsWritten }, seqs };
    } catch (error) {
      if (!target.isLost()) await target.run('ROLLBACK');
      throw error;
    }
  } finally {
    if (!source.isLost()) await source.run('COMMIT');
  }
  await deleteEntries(source, ledger, done.seqs);
  return done.result;
}

function tableOf(details: MoveDetails, no: number): MovedTable {
  const table = details.tables[no];
  if (table === undefined) throw new Error('a table of the move has no recorded state');
  return table;
}

/**
 * Deletes all rows that may have changed, and then inserts their current values. A unique value can therefore
 * pass from one row to another without a conflict.
 */
async function bringOver(
  run: MoveRun,
  details: MoveDetails,
  noted: LedgerView,
  range: RowRange | null,
  whole: readonly MovedTable[],
): Promise<number> {
  const { target } = run;
  const groups = [...noted.keys].flatMap(([no, keys]) =>
    cut([...keys]).map((texts) => ({ table: tableOf(details, no), texts })),
  );
  for (const { table, texts } of groups)
    await target.run(`DELETE FROM ${nameOf(table)} WHERE ${matchKeys(table.key ?? [], texts, '')}`);
  if (range !== null) await target.run(`DELETE FROM ${nameOf(range.table)} WHERE ${range.range}`);
  for (const table of whole) await target.run(`DELETE FROM ${nameOf(table)}`);
  let rows = 0;
  for (const { table, texts } of groups)
    rows += await copyWhere(run, table, matchKeys(table.key ?? [], texts, ''));
  if (range !== null) rows += await putRows(run, range.table, range.rows);
  for (const table of whole) rows += await copyWhere(run, table, 'TRUE');
  return rows;
}

function cut(keys: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(keys.length / KEYS_PER_STATEMENT) }, (_, index) =>
    keys.slice(index * KEYS_PER_STATEMENT, (index + 1) * KEYS_PER_STATEMENT),
  );
}

async function copyWhere({ source, target }: MoveRun, table: MovedTable, where: string): Promise<number> {
  const writer = new RowWriter(target, table);
  let rows = 0;
  for await (const row of source.stream<{ t: string | null }>(selectRows(table, where))) {
    await writer.add(readText(table, row.t));
    rows += 1;
  }
  await writer.flush();
  return rows;
}

async function putRows({ target }: MoveRun, table: MovedTable, rows: readonly string[]): Promise<number> {
  const writer = new RowWriter(target, table);
  for (const text of rows) await writer.add(text);
  await writer.flush();
  return rows.length;
}

/** Returns the row count and hash of a range of the target's rows. */
export async function digestTarget(
  { target }: MoveRun,
  table: MovedTable,
  where: string,
): Promise<{ rows: number; digest: string }> {
  const digest = createRowDigest();
  for await (const row of target.stream<{ t: string | null }>(selectRows(table, where)))
    digest.add(readText(table, row.t));
  return { rows: digest.rows, digest: digest.digest };
}

export function digestRows(texts: readonly string[]): { rows: number; digest: string } {
  const digest = createRowDigest();
  for (const text of texts) digest.add(text);
  return { rows: digest.rows, digest: digest.digest };
}

import { matchKeys } from './key-text.js';
import { forget, readLedger, type Noted } from './ledger.js';
import { ledgerOf } from './capture-source.js';
import type { MovedTable, MoveFacts } from './move-facts.js';
import { nameOf } from './move-names.js';
import type { MoveRun } from './move-run.js';
import { readText, RowWriter, selectRows } from './row-writer.js';
import { createRowDigest } from '../transfer/row-text.js';

const KEYS_PER_STATEMENT = 200;

/** Rows of a table between two keys, as the read view of a round sees them. */
export interface Piece {
  readonly table: MovedTable;
  /** About the table without an alias. */
  readonly range: string;
  readonly rows: readonly string[];
}

export interface RoundTasks {
  /** Reads a piece within the round's read view; null: there is none. */
  readonly read?: () => Promise<Piece | null>;
  /** Whether the piece takes the place of what the target has in its range. */
  readonly writes?: boolean;
  /** Tables without a key to be copied anew, beside those that were written. */
  readonly whole?: readonly MovedTable[];
  /** Whether tables without a key that were written are copied anew. */
  readonly isThorough?: boolean;
}

export interface RoundResult {
  readonly piece: Piece | null;
  /** Rows that were written since the last round. */
  readonly noted: Noted;
  readonly rowsWritten: number;
}

/**
 * One round of following: all that was committed since the last one, and with it a piece of a table, both as one read view
 * sees them, are brought to the target in one transaction. Behind each round the target is the source at one moment, as
 * far as it is copied: so no unique key can be in the way, and pieces can be compared at any time.
 */
export async function syncRound(run: MoveRun, facts: MoveFacts, tasks: RoundTasks = {}): Promise<RoundResult> {
  const { source, target } = run;
  const ledger = ledgerOf(run);
  await source.run('START TRANSACTION WITH CONSISTENT SNAPSHOT');
  let done: { result: RoundResult; seqs: readonly string[] };
  try {
    const noted = await readLedger(source, target, ledger, facts);
    const whole = new Set(tasks.whole ?? []);
    if (tasks.isThorough === true) for (const no of noted.whole.keys()) whole.add(tableOf(facts, no));
    const piece = (await tasks.read?.()) ?? null;
    await target.run('START TRANSACTION');
    try {
      const rowsWritten = await bringOver(run, facts, noted, piece !== null && tasks.writes === true ? piece : null, [...whole]);
      await target.run('COMMIT');
      const seqs = [...noted.seqs, ...[...whole].flatMap((table) => noted.whole.get(table.no) ?? [])];
      done = { result: { piece, noted, rowsWritten }, seqs };
    } catch (error) {
      if (!target.isLost()) await target.run('ROLLBACK');
      throw error;
    }
  } finally {
    if (!source.isLost()) await source.run('COMMIT');
  }
  await forget(source, ledger, done.seqs);
  return done.result;
}

function tableOf(facts: MoveFacts, no: number): MovedTable {
  const table = facts.tables[no];
  if (table === undefined) throw new Error('a move does not know its own table');
  return table;
}

/** First everything goes that may have changed, then it comes as it is: values of unique keys change hands freely. */
async function bringOver(run: MoveRun, facts: MoveFacts, noted: Noted, piece: Piece | null, whole: readonly MovedTable[]): Promise<number> {
  const { target } = run;
  const groups = [...noted.keys].flatMap(([no, keys]) => cut([...keys]).map((texts) => ({ table: tableOf(facts, no), texts })));
  for (const { table, texts } of groups) await target.run(`DELETE FROM ${nameOf(table)} WHERE ${matchKeys(table.key ?? [], texts, '')}`);
  if (piece !== null) await target.run(`DELETE FROM ${nameOf(piece.table)} WHERE ${piece.range}`);
  for (const table of whole) await target.run(`DELETE FROM ${nameOf(table)}`);
  let rows = 0;
  for (const { table, texts } of groups) rows += await copyWhere(run, table, matchKeys(table.key ?? [], texts, ''));
  if (piece !== null) rows += await putRows(run, piece.table, piece.rows);
  for (const table of whole) rows += await copyWhere(run, table, 'TRUE');
  return rows;
}

function cut(keys: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(keys.length / KEYS_PER_STATEMENT) }, (_, at) => keys.slice(at * KEYS_PER_STATEMENT, (at + 1) * KEYS_PER_STATEMENT));
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

/** Of rows of the target. */
export async function digestTarget({ target }: MoveRun, table: MovedTable, where: string): Promise<{ rows: number; digest: string }> {
  const digest = createRowDigest();
  for await (const row of target.stream<{ t: string | null }>(selectRows(table, where))) digest.add(readText(table, row.t));
  return { rows: digest.rows, digest: digest.digest };
}

export function digestRows(texts: readonly string[]): { rows: number; digest: string } {
  const digest = createRowDigest();
  for (const text of texts) digest.add(text);
  return { rows: digest.rows, digest: digest.digest };
}

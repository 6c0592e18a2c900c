import type { AdminConnection } from '@rowhouse/mysql';
import { quoteName } from '@rowhouse/mysql';
import { matchKey, formatKey } from './key-text.js';
import type { MovedTable, MoveDetails } from './move-run.js';
import { nameOf } from './move-names.js';

/** All entries of the change ledger, read in one consistent snapshot. */
export interface LedgerView {
  readonly seqs: readonly string[];
  /** The keys of written rows, by table number. */
  readonly keys: ReadonlyMap<number, Set<string>>;
  /**
   * The written tables that have no key, by table number, with the ledger entries that record the writes.
   * These entries are retained until the table is copied again.
   */
  readonly whole: ReadonlyMap<number, readonly string[]>;
}

interface LedgerRow {
  readonly seq: string;
  readonly table_no: number;
  readonly key_text: string | null;
  readonly referenced: string | null;
}

/** A value that cascading foreign keys reference, and that a write has removed or added. */
interface ReferenceChange {
  readonly table: MovedTable;
  readonly referenced: string;
}

const SEQS_PER_DELETE = 1_000;

/**
 * Reads the change ledger and collects the rows to fetch.
 *
 * @param source the source server's session, within its consistent snapshot @param target the target server's
 * session, after the last round. Children of removed keys are found on the target, because in the source they
 * may be gone or have another key
 */
export async function readLedger(
  source: AdminConnection,
  target: AdminConnection,
  ledger: string,
  details: MoveDetails,
): Promise<LedgerView> {
  const rows = await source.rows<LedgerRow>(
    `SELECT CAST(seq AS CHAR) AS seq, table_no, key_text, referenced FROM ${ledger} ORDER BY seq`,
  );
  const keys = new Map<number, Set<string>>();
  const whole = new Map<number, string[]>();
  const seqs: string[] = [];
  const removed: ReferenceChange[] = [];
  for (const row of rows) {
    const table = details.tables[row.table_no];
    if (table === undefined)
      throw new Error('the ledger of a move names a table that is not part of the move');
    if (row.referenced !== null) removed.push({ table, referenced: row.referenced });
    if (row.key_text === null) whole.set(table.no, [...(whole.get(table.no) ?? []), row.seq]);
    else {
      addKey(keys, table.no, row.key_text);
      seqs.push(row.seq);
    }
  }
  await followCascades([source, target], details, removed, keys, whole);
  return { seqs, keys, whole };
}

/** Adds a key to the table's set. Returns true if the key is new. */
function addKey(keys: Map<number, Set<string>>, no: number, text: string): boolean {
  const known = keys.get(no) ?? new Set();
  keys.set(no, known);
  if (known.has(text)) return false;
  known.add(text);
  return true;
}

/**
 * Adds the rows that a cascade may have changed, and the rows that reference them. They are then copied like
 * the rows that were written directly.
 */
async function followCascades(
  sides: readonly AdminConnection[],
  details: MoveDetails,
  first: readonly ReferenceChange[],
  keys: Map<number, Set<string>>,
  whole: Map<number, string[]>,
): Promise<void> {
  const seen = new Set<string>();
  const open = [...first];
  for (let removed = open.pop(); removed !== undefined; removed = open.pop()) {
    const { table } = removed;
    for (const [index, text] of removed.referenced.split('|').entries()) {
      const set = table.referenced[index];
      if (set === undefined) continue;
      for (const child of set.children) {
        const id = `${table.no} ${index} ${child.no} ${child.columns.join()} ${text}`;
        const childTable = details.tables[child.no];
        if (childTable === undefined || seen.has(id)) continue;
        seen.add(id);
        const where = matchKey(set.columns, text, '', child.columns);
        if (where === null) continue;
        if (childTable.key === null) whole.set(child.no, whole.get(child.no) ?? []);
        else
          for (const side of sides)
            open.push(...(await findBelow(side, childTable, childTable.key, where, keys)));
      }
    }
  }
}

async function findBelow(
  side: AdminConnection,
  table: MovedTable,
  key: NonNullable<MovedTable['key']>,
  where: string,
  keys: Map<number, Set<string>>,
): Promise<ReferenceChange[]> {
  const referenced =
    table.referenced.length === 0
      ? 'NULL'
      : `CONCAT_WS('|', ${table.referenced.map((set) => formatKey(set.columns, '')).join(', ')})`;
  const rows = await side.rows<{ k: string; r: string | null }>(
    `SELECT ${formatKey(key, '')} AS k, ${referenced} AS r FROM ${nameOf(table)} WHERE ${where}`,
  );
  return rows.flatMap((row) =>
    addKey(keys, table.no, row.k) && row.r !== null ? [{ table, referenced: row.r }] : [],
  );
}

/**
 * Deletes ledger entries by their exact numbers. A range would be wrong, because an entry with a smaller
 * number may have been committed after the ledger was read.
 */
export async function deleteEntries(
  source: AdminConnection,
  ledger: string,
  seqs: readonly string[],
): Promise<void> {
  for (let index = 0; index < seqs.length; index += SEQS_PER_DELETE) {
    await source.run(
      `DELETE FROM ${ledger} WHERE ${quoteName('seq')} IN (${seqs
        .slice(index, index + SEQS_PER_DELETE)
        .map((seq) => BigInt(seq))
        .join(', ')})`,
    );
  }
}

import { sideSchemaName } from '@rowhouse/contracts';
import { quoteName, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerDatabase } from '@rowhouse/platform-store';
import type { ForeignKey } from '@rowhouse/schema-model';

/** The maximum number of notes. Further notes are only counted. */
const NOTES_MAX = 500;
const CHARS_MAX = 500;

/**
 * The notes of a load. They are stored next to the data, so that one transaction writes each note and its
 * rows.
 */
export interface LoadNotes {
  add(notes: readonly string[]): Promise<void>;
  read(): Promise<string[]>;
  forget(): Promise<void>;
}

export async function openLoadNotes(
  connection: AdminConnection,
  database: WorkerDatabase,
  loadId: string,
): Promise<LoadNotes> {
  const table = `${quoteName(sideSchemaName(database.schemaName))}.load_note`;
  await connection.run(
    `CREATE TABLE IF NOT EXISTS ${table} (id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, load_id varchar(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, note varchar(${CHARS_MAX}) CHARACTER SET utf8mb4 NOT NULL, KEY (load_id)) ENGINE=InnoDB`,
  );
  const count = async (): Promise<number> =>
    Number(
      (
        await connection.rows<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table} WHERE load_id = ?`, [loadId])
      )[0]?.n ?? 0,
    );
  return {
    async add(notes) {
      if (notes.length === 0) return;
      const known = await count();
      const fitting = notes.slice(0, Math.max(0, NOTES_MAX - known));
      if (fitting.length < notes.length && known <= NOTES_MAX)
        fitting.push('There are more notes, which are not listed.');
      for (const note of fitting)
        await connection.run(`INSERT INTO ${table} (load_id, note) VALUES (?, ?)`, [
          loadId,
          note.slice(0, CHARS_MAX),
        ]);
    },
    async read() {
      return (
        await connection.rows<{ note: string }>(`SELECT note FROM ${table} WHERE load_id = ? ORDER BY id`, [
          loadId,
        ])
      ).map(({ note }) => note);
    },
    async forget() {
      await connection.run(`DELETE FROM ${table} WHERE load_id = ?`, [loadId]);
    },
  };
}

/** Finds rows whose foreign keys reference missing rows. Returns one note for each such key. */
export async function findDanglingRows(
  connection: AdminConnection,
  tables: readonly { readonly name: string; readonly foreignKeys: readonly ForeignKey[] }[],
): Promise<string[]> {
  const notes: string[] = [];
  for (const { name, foreignKeys } of tables) {
    for (const key of foreignKeys) {
      const rows = await countOrphans(connection, name, key);
      if (rows === null)
        notes.push(
          `${name}: rows without a matching row in ${key.referencedTable} (foreign key ${key.name}) ` +
            'could not be counted in time.',
        );
      else if (rows > 0)
        notes.push(
          `${rows} ${rows === 1 ? 'row' : 'rows'} of ${name} ${rows === 1 ? 'has' : 'have'} no ` +
            `matching row in ${key.referencedTable} (${key.columns.join(', ')}, foreign key ` +
            `${key.name}). They were imported.`,
        );
    }
  }
  return notes;
}

/**
 * Counts the rows whose key has no target. Returns null when the server stops the count, because a missing
 * note must not fail the load.
 */
async function countOrphans(
  connection: AdminConnection,
  table: string,
  key: ForeignKey,
): Promise<number | null> {
  try {
    const [found] = await connection.rows<{ n: number | string }>(
      `SELECT COUNT(*) AS n FROM ${joinOrphans(table, key)}`,
    );
    return Number(found?.n ?? 0);
  } catch (error) {
    const fault = readServerFault(error);
    if (fault === null || fault.isConnectionLost) throw error;
    return null;
  }
}

/** Returns the FROM and WHERE clauses of a query for rows `c` whose key references no row. */
export function joinOrphans(table: string, key: ForeignKey): string {
  const joined = key.columns
    .map((column, index) => `p.${quoteName(key.referencedColumns[index] ?? '')} = c.${quoteName(column)}`)
    .join(' AND ');
  const provided = key.columns.map((column) => `c.${quoteName(column)} IS NOT NULL`).join(' AND ');
  return `${quoteName(table)} c LEFT JOIN ${quoteName(key.referencedTable)} p ON ${joined} WHERE ${provided} AND p.${quoteName(key.referencedColumns[0] ?? '')} IS NULL`;
}

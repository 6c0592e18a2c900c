import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import type { Snapshot } from '@rowhouse/schema-model';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';

/** A plan is made often, and must not read a large table as a whole. */
const ROWS_READ_MAX = 100_000;

/**
 * Describes number columns that become TINYINT(1) and hold numbers other than 0 and 1, which the API reads as true. One
 * sentence for each.
 */
export async function noteBooleans(ctx: WorkerContext, database: WorkerDatabase, server: WorkerServer, deployed: Snapshot, target: Snapshot): Promise<string[]> {
  const becoming = listBecoming(deployed, target);
  if (becoming.length === 0) return [];
  const accounts = await ctx.directory.listAccounts(database.id);
  return withConnection(ctx.access.openMigrator(server, database, accounts), async (connection) => {
    const notes: string[] = [];
    for (const { table, column } of becoming) {
      const rows = await countOthers(connection, table, column);
      if (rows > 0) notes.push(`${table}.${column} becomes a boolean and holds numbers other than 0 and 1 (${rows} of its first ${ROWS_READ_MAX} rows at most). The API reads them as true, and a program that writes back what it read stores 1. Use TINYINT without (1) to keep a number.`);
    }
    return notes;
  });
}

function listBecoming(deployed: Snapshot, target: Snapshot): { table: string; column: string }[] {
  const before = new Map(deployed.tables.map((table) => [table.name, table]));
  return target.tables.flatMap((table) => {
    const kinds = new Map((before.get(table.name)?.columns ?? []).map((column) => [column.name, column.valueKind]));
    const becoming = table.columns.filter((column) => column.type === 'tinyint' && column.valueKind === 'boolean' && kinds.get(column.name) === 'integer');
    return becoming.map((column) => ({ table: table.name, column: column.name }));
  });
}

async function countOthers(connection: AdminConnection, table: string, column: string): Promise<number> {
  const name = quoteName(column);
  const [found] = await connection.rows<{ n: number | string }>(`SELECT COUNT(*) AS n FROM (SELECT ${name} FROM ${quoteName(table)} LIMIT ${ROWS_READ_MAX}) few WHERE ${name} NOT IN (0, 1)`);
  return Number(found?.n ?? 0);
}

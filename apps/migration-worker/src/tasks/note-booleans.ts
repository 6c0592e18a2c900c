import type { Lineage } from '@rowhouse/ddl-plan';
import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import { isTinyBoolean, ownMember, type Snapshot } from '@rowhouse/schema-model';
import { withConnection } from '../servers/server-access.js';
import type { DatabaseAccess } from '../worker-context.js';

/**
 * The maximum number of rows that are read. Plans are created often, so they must not read all rows of a
 * large table.
 */
const ROWS_READ_MAX = 100_000;

/** A column that the plan changes to TINYINT(1), with its target name and its current name. */
interface BooleanColumn {
  readonly target: string;
  readonly table: string;
  readonly column: string;
}

interface Change {
  readonly deployed: Snapshot;
  readonly target: Snapshot;
  readonly lineage: Lineage;
}

/**
 * Returns a sentence for each column that becomes TINYINT(1) and has numbers other than 0 and 1. The API
 * would return these numbers as true.
 */
export async function noteBooleans(
  ctx: DatabaseAccess,
  database: WorkerDatabase,
  server: WorkerServer,
  change: Change,
): Promise<string[]> {
  const becoming = listBecoming(change, database.settings.number_columns);
  if (becoming.length === 0) return [];
  const accounts = await ctx.directory.listAccounts(database.id);
  return withConnection(ctx.access.openMigrator(server, database, accounts), async (connection) => {
    const notes: string[] = [];
    for (const { target, table, column } of becoming) {
      const rows = await countOthers(connection, table, column);
      if (rows > 0)
        notes.push(
          `${target} becomes a boolean, but has numbers other than 0 and 1 (${rows} of its first ` +
            `${ROWS_READ_MAX} rows at most). The API reads them as true, and a program that writes the ` +
            'value back stores 1. To keep numbers, use TINYINT without (1), or add the column to the ' +
            'setting number_columns.',
        );
    }
    return notes;
  });
}

function listBecoming(
  { deployed, target, lineage }: Change,
  numberColumns: Readonly<Record<string, readonly string[]>>,
): BooleanColumn[] {
  const before = new Map(deployed.tables.map((table) => [table.name, table]));
  return target.tables.flatMap((table) => {
    const origins = lineage.tables.get(table.name);
    const source = before.get(origins === undefined ? table.name : (origins.name ?? origins.takenAs ?? ''));
    if (source === undefined) return [];
    const names = ownMember(numberColumns, table.name) ?? [];
    return table.columns.flatMap(({ name, ...column }) => {
      const origin = origins?.columns.get(name);
      const existing = source.columns.find(
        (candidate) => candidate.name === (origin === undefined ? name : (origin.name ?? origin.takenAs)),
      );
      const isBecoming =
        existing !== undefined &&
        isTinyBoolean(column) &&
        existing.valueKind !== 'boolean' &&
        !names.includes(name);
      return isBecoming
        ? [{ target: `${table.name}.${name}`, table: source.name, column: existing.name }]
        : [];
    });
  });
}

/**
 * Counts numbers other than 0 and 1. Texts and decimals count as the whole numbers to which they will be
 * converted.
 */
async function countOthers(connection: AdminConnection, table: string, column: string): Promise<number> {
  const name = quoteName(column);
  const [found] = await connection.rows<{ n: number | string }>(
    `SELECT COUNT(*) AS n FROM (SELECT ${name} FROM ${quoteName(table)} LIMIT ${ROWS_READ_MAX}) few WHERE ROUND(${name}) NOT IN (0, 1)`,
  );
  return Number(found?.n ?? 0);
}

import { sideSchemaName, VALUE_INDEX_TABLE, VALUE_INDEX_TABLE_BODY } from '@rowhouse/contracts';
import { AppError, NO_SUCH_TABLE } from '@rowhouse/errors';
import { quoteName, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerAccount, WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import { quoteAccount } from '../accounts/account-statements.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';
import type { IndexedColumn, ValueState } from './fit-values.js';

/** The time when a table was last read, and its state according to the server. */
export interface TableMark {
  readonly table: string;
  /**
   * The server's UPDATE_TIME. It is '' when the table was not written since the server's start. It is null
   * when the last write is so recent that a later write could have the same time.
   */
  readonly updatedAt: string | null;
  /** The time of the read, in seconds by the server's clock. */
  readonly readAt: number;
  /** The names of columns that were read. */
  readonly columns: readonly string[];
}

export interface StoredIndex {
  readonly marks: ReadonlyMap<string, TableMark>;
  readonly columns: readonly IndexedColumn[];
}

function nameOf(schemaName: string): string {
  return `${quoteName(sideSchemaName(schemaName))}.${quoteName(VALUE_INDEX_TABLE)}`;
}

/** Reads the database's index. Returns null when its table does not exist. */
export async function readStored(writer: AdminConnection, schemaName: string): Promise<StoredIndex | null> {
  try {
    const rows = await writer.rows<{ table_name: string; column_name: string; state: string; items: string }>(
      `SELECT table_name, column_name, state, items FROM ${nameOf(schemaName)}`,
    );
    const marks = rows
      .filter((row) => row.column_name === '')
      .map((row) => ({ ...(JSON.parse(row.items) as Omit<TableMark, 'table'>), table: row.table_name }));
    const columns = rows
      .filter((row) => row.column_name !== '')
      .map((row) => ({
        table: row.table_name,
        column: row.column_name,
        state: row.state as ValueState,
        values: JSON.parse(row.items) as string[],
      }));
    return { marks: new Map(marks.map((mark) => [mark.table, mark])), columns };
  } catch (error) {
    if (readServerFault(error)?.errno === NO_SUCH_TABLE) return null;
    throw error;
  }
}

/**
 * Creates the table for value indexes. Databases from before value indexes lack this table until their first
 * index. Safe to run again.
 */
export async function makeValueTable(
  ctx: Pick<WorkerContext, 'access'>,
  server: WorkerServer,
  database: WorkerDatabase,
  accounts: readonly WorkerAccount[],
): Promise<void> {
  const rows = accounts.find((account) => account.kind === 'rows');
  if (rows === undefined)
    throw new AppError('db.provisioning', { internal: `${database.id} has no rows account` });
  await withConnection(ctx.access.openProvisioner(server), (provisioner) =>
    initializeValueTable(provisioner, database.schemaName, quoteAccount(rows.userName)),
  );
}

/** Creates the table if it does not exist. */
export async function createValueTable(provisioner: AdminConnection, schemaName: string): Promise<void> {
  await provisioner.run(`CREATE TABLE IF NOT EXISTS ${nameOf(schemaName)} ${VALUE_INDEX_TABLE_BODY}`);
}

/** Creates the table and grants the `rows` account SELECT on it. */
async function initializeValueTable(
  provisioner: AdminConnection,
  schemaName: string,
  rowsAccount: string,
): Promise<void> {
  await createValueTable(provisioner, schemaName);
  await provisioner.run(`GRANT SELECT ON ${nameOf(schemaName)} TO ${rowsAccount}`);
}

/** Replaces the stored index in one transaction. */
export async function writeStored(
  writer: AdminConnection,
  schemaName: string,
  stored: StoredIndex,
  next: StoredIndex,
): Promise<void> {
  const before = new Map(toRows(stored).map((row) => [keyOf(row), row]));
  const after = new Map(toRows(next).map((row) => [keyOf(row), row]));
  await writer.run('START TRANSACTION');
  try {
    for (const [key, row] of before)
      if (!after.has(key))
        await writer.run(`DELETE FROM ${nameOf(schemaName)} WHERE table_name = ? AND column_name = ?`, [
          row.table,
          row.column,
        ]);
    for (const [key, row] of after) {
      const known = before.get(key);
      if (known?.state === row.state && known.items === row.items) continue;
      await writer.run(
        `REPLACE INTO ${nameOf(schemaName)} (table_name, column_name, state, items) VALUES (?, ?, ?, ?)`,
        [row.table, row.column, row.state, row.items],
      );
    }
    await writer.run('COMMIT');
  } catch (error) {
    await writer.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

interface StoredRow {
  readonly table: string;
  readonly column: string;
  readonly state: string;
  readonly items: string;
}

function toRows({ marks, columns }: StoredIndex): StoredRow[] {
  const ofTables = [...marks.values()].map(({ table, ...mark }) => ({
    table,
    column: '',
    state: 'table',
    items: JSON.stringify(mark),
  }));
  return [
    ...ofTables,
    ...columns.map(({ table, column, state, values }) => ({
      table,
      column,
      state,
      items: JSON.stringify(values),
    })),
  ];
}

function keyOf({ table, column }: StoredRow): string {
  return JSON.stringify([table, column]);
}

import { randomBytes } from 'node:crypto';
import {
  IDEMPOTENCY_TABLE,
  SEED_ROWS_MAX,
  sideSchemaName,
  type TaskPayload,
  type TaskResult,
} from '@rowhouse/contracts';
import { AppError, nearestNames, LOCK_WAIT_TIMEOUT } from '@rowhouse/errors';
import { quoteName, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import { planFills } from '@rowhouse/sample-rows';
import type { Table } from '@rowhouse/schema-model';
import { withConnection } from '../servers/server-access.js';
import { toSnapshot } from '../snapshots/fingerprints.js';
import { readSchema, inspectSeparately } from '../snapshots/inspect-schema.js';
import type { WorkerContext } from '../worker-context.js';
import { fillTables, type TableOutcome } from './fill-tables.js';
import { readProbedServer } from '../servers/read-probed-server.js';

const LOCK_WAIT_SECONDS = 20;

/**
 * Inserts sample rows into a ready database in one transaction. If a second task runs for the same request,
 * it finds the tables filled.
 */
export async function seedRows(
  ctx: Pick<WorkerContext, 'access' | 'directory' | 'failPoint'>,
  payload: TaskPayload<'seed_rows'>,
): Promise<TaskResult<'seed_rows'>> {
  const database = await ctx.directory.readDatabase(payload.database_id);
  if (database.isDeleted || database.provisionState !== 'ready')
    throw new AppError('db.provisioning', { detail: 'The database is not ready.' });
  if (database.isStorageFull) throw new AppError('limit.storage');
  const server = await readProbedServer(ctx, database.serverId);
  const accounts = await ctx.directory.listAccounts(database.id);
  const { tables } = toSnapshot(
    await inspectSeparately(ctx.access.openMigrator(server, database, accounts), server.engine, (check) =>
      readSchema(check, database.schemaName, server.engine),
    ),
  );
  return withConnection(ctx.access.openMigrator(server, database, accounts), async (connection) => {
    const requested = chooseTables(tables, payload.tables);
    await connection.run(`SET SESSION innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}`);
    await connection.run('START TRANSACTION');
    await awaitTurn(connection, database.schemaName);
    if (payload.statements !== undefined) {
      const outcomes = await insertGiven(connection, payload.statements, requested);
      await connection.run('COMMIT');
      return { rows: outcomes.reduce((sum, { rows }) => sum + rows, 0), tables: outcomes };
    }
    const { chosen, left } = payload.into_full
      ? { chosen: requested, left: [] }
      : await omitFull(connection, requested);
    assertBounded(chosen, payload.rows);
    const { fills, circular } = planFills(chosen, payload.rows);
    const reported = await fillTables({
      connection,
      engine: server.engine,
      tables,
      fills,
      seed: payload.seed,
      rows: payload.rows,
      nowMs: startOfDay(),
    });
    ctx.failPoint('seed-before-commit');
    await connection.run('COMMIT');
    const outcomes = [
      ...reported,
      ...left,
      ...circular.map((table) => ({
        name: table.name,
        rows: 0,
        reason: 'its foreign keys form a cycle, and none of them can be NULL',
      })),
    ];
    return {
      rows: outcomes.reduce((sum, tableOutcome) => sum + tableOutcome.rows, 0),
      tables: outcomes.sort((a, b) => (a.name < b.name ? -1 : 1)),
    };
  });
}

/**
 * Runs the INSERT statements of a starter when all tables are empty. The rows have fixed ids and refer to each
 * other, so they cannot be added to existing rows.
 *
 * @throws AppError `transfer.not_possible` when the schema lacks a table or column of the starter
 */
async function insertGiven(
  connection: AdminConnection,
  statements: readonly string[],
  tables: readonly Table[],
): Promise<TableOutcome[]> {
  const { left } = await omitFull(connection, tables);
  if (left.length === 0)
    for (const statement of statements) {
      try {
        await connection.run(statement);
      } catch (error) {
        if (readServerFault(error) === null) throw error;
        throw new AppError('transfer.not_possible', {
          detail: 'The sample rows of the starter do not fit this schema.',
          hint: 'Leave out "starter" to generate rows for the schema.',
          cause: error,
        });
      }
    }
  const reason = left.length === 0 ? null : 'the database already has rows';
  return Promise.all(
    tables
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(async ({ name }) => ({
        name,
        rows: reason === null ? await countRows(connection, name) : 0,
        reason,
      })),
  );
}

async function countRows(connection: AdminConnection, table: string): Promise<number> {
  const [row] = await connection.rows<{ n: number | string }>(
    `SELECT COUNT(*) AS n FROM ${quoteName(table)}`,
  );
  return Number(row?.n ?? 0);
}

/** Returns the start of the current day, so that all tasks of a day insert equal rows. */
function startOfDay(): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
}

/**
 * The lineage id of the lock row. Concurrent tasks write this row, so that they run one after the other. No
 * API key has this lineage id.
 */
const TURN = 'seed_rows';

/**
 * Makes concurrent tasks run one after the other. Otherwise each of them would find the tables empty. All
 * tasks write the same row. On a single server, the second task waits for the first. On a cluster, the commit
 * of the second task is rejected (1213), and it starts again. A named lock would not work, because it applies
 * only to one node.
 */
async function awaitTurn(connection: AdminConnection, schemaName: string): Promise<void> {
  try {
    await connection.run(
      `INSERT INTO ${quoteName(sideSchemaName(schemaName))}.${quoteName(IDEMPOTENCY_TABLE)} (lineage_id, idempotency_key, fingerprint, created_at) VALUES (?, ?, ?, UTC_TIMESTAMP(3))
       ON DUPLICATE KEY UPDATE fingerprint = VALUES(fingerprint), created_at = VALUES(created_at)`,
      [TURN, TURN, randomBytes(32)],
    );
  } catch (error) {
    if (readServerFault(error)?.errno !== LOCK_WAIT_TIMEOUT) throw error;
    throw new AppError('transfer.not_possible', {
      detail: 'Sample rows are already being created for this database.',
      cause: error,
    });
  }
}

function chooseTables(tables: readonly Table[], names: readonly string[] | null): Table[] {
  const real = tables.filter((table) => table.kind === 'table');
  if (names === null) return real;
  return [...new Set(names)].map((name) => {
    const found = real.find((table) => table.name === name) ?? real.find((table) => table.path === name);
    if (found !== undefined) return found;
    const similarNames = nearestNames(
      name,
      real.map((table) => table.name),
    );
    throw new AppError('table.not_found', {
      detail: `The table ${name} does not exist.`,
      ...(similarNames.length === 0 ? {} : { hint: `Did you mean ${similarNames.join(', ')}?` }),
    });
  });
}

async function omitFull(
  connection: AdminConnection,
  tables: readonly Table[],
): Promise<{ chosen: Table[]; left: TableOutcome[] }> {
  const chosen: Table[] = [];
  const left: TableOutcome[] = [];
  for (const table of tables) {
    const isFull = (await connection.rows(`SELECT 1 FROM ${quoteName(table.name)} LIMIT 1`)).length > 0;
    if (isFull) left.push({ name: table.name, rows: 0, reason: 'it already has rows' });
    else chosen.push(table);
  }
  return { chosen, left };
}

function assertBounded(tables: readonly Table[], rows: number): void {
  if (tables.length * rows <= SEED_ROWS_MAX) return;
  throw new AppError('limit.bulk_rows', {
    detail:
      `${rows} rows for each of ${tables.length} tables exceed the limit of ` +
      `${SEED_ROWS_MAX.toLocaleString('en')} rows per request.`,
    hint:
      `Request at most ${Math.max(1, Math.floor(SEED_ROWS_MAX / tables.length))} rows, or select ` +
      'some of the tables.',
  });
}

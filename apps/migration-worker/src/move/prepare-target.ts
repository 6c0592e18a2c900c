import { sideSchemaName } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import {
  introspectSchema,
  quoteName,
  quoteText,
  readServerFault,
  type AdminConnection,
} from '@rowhouse/mysql';
import type { WorkerDatabase } from '@rowhouse/platform-store';
import { ensurePlatformAccount } from '../accounts/ensure-account.js';
import { recomputeGrants } from '../accounts/grants/recompute-grants.js';
import { cleanMessage } from '../scratch/apply-schema-text.js';
import { guardStopwordTables } from '../accounts/guard-stopword-tables.js';
import { withConnection } from '../servers/server-access.js';
import { inspectSeparately } from '../snapshots/inspect-schema.js';
import type { Definitions } from './definitions.js';
import { transferUsers, listTransferredUsers } from './transfer-users.js';
import type { MoveDetails, MoveRun, SourceRun } from './move-run.js';
import { MOVE_LEDGER, MOVE_MARK, nameOf } from './move-names.js';
import { makeSchemasAndAccounts } from '../accounts/make-schemas-and-accounts.js';

/**
 * Creates empty schemas on the new server, marks them as this move's, and creates the platform's accounts.
 * Throws `transfer.not_possible`, without changing anything, if both servers are the same server under two
 * names, or if a schema of this name exists that belongs to no move.
 */
export async function preparePlacement({ ctx, move, database, to }: SourceRun): Promise<void> {
  const side = sideSchemaName(database.schemaName);
  await withConnection(ctx.access.openProvisioner(to), async (provisioner) => {
    // If the ledger table of this move is there, the new server is the old one under another name.
    if (await isMarked(provisioner, side, MOVE_LEDGER, move.id))
      throw new AppError('transfer.not_possible', {
        detail: 'The other server is the same server under another name.',
        internal: to.id,
      });
    const present = await provisioner.rows<{ name: string }>(
      'SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA WHERE SCHEMA_NAME IN (?, ?)',
      [database.schemaName, side],
    );
    if (present.length > 0 && !(await isMarked(provisioner, side, MOVE_MARK, null))) {
      throw new AppError('transfer.not_possible', {
        detail: 'The other server already has a schema of this name that does not belong to a move.',
        hint: 'Remove the schema there, or choose another server.',
        internal: to.id,
      });
    }
    for (const name of [database.schemaName, side])
      await provisioner.run(`DROP DATABASE IF EXISTS ${quoteName(name)}`);
    await provisioner.run(
      `CREATE DATABASE ${quoteName(side)} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`,
    );
    await provisioner.run(
      `CREATE TABLE ${nameOf({ schema: side, name: MOVE_MARK })} (id int PRIMARY KEY) ENGINE=InnoDB COMMENT=${quoteText(move.id)}`,
    );
  });
  ctx.failPoint('move-place-laid');
  await makeSchemasAndAccounts(ctx, to, database);
}

/** Returns whether the table exists in the schema, with the move's id as its comment if one is given. */
export async function isMarked(
  connection: AdminConnection,
  schema: string,
  table: string,
  moveId: string | null,
): Promise<boolean> {
  const rows = await connection.rows<{ comment: string }>(
    'SELECT TABLE_COMMENT AS comment FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?',
    [schema, table],
  );
  return rows.some((row) => moveId === null || row.comment === moveId);
}

/**
 * Creates tables without rows, routines, views, users of direct connections, and grants, in the empty schemas
 * that `preparePlacement` created. Triggers are not created here, because they would change the copied rows.
 */
export async function makeStructure(
  run: MoveRun,
  details: MoveDetails,
  definitions: Definitions,
): Promise<void> {
  const { ctx, database, to, target } = run;
  await withConnection(ctx.access.openProvisioner(to), async (provisioner) => {
    await provisioner.run(
      `ALTER DATABASE ${quoteName(database.schemaName)} CHARACTER SET ${definitions.charset} COLLATE ${definitions.collation}`,
    );
    for (const table of await listExisting(run)) await target.run(`DROP TABLE ${nameOf(table)}`);
    for (const schema of [database.schemaName, sideSchemaName(database.schemaName)]) {
      await target.run(`USE ${quoteName(schema)}`);
      for (const table of details.tables)
        if (table.schema === schema) await make(target, database, table.create);
    }
    // The tables of a dedicated server have no guard. They get it before they get rows.
    await guardStopwordTables(ctx, to, database.schemaName);
    await guardStopwordTables(ctx, to, sideSchemaName(database.schemaName));
    await target.run(`USE ${quoteName(database.schemaName)}`);
    await transferUsers(run, provisioner, await listTransferredUsers(run, definitions));
  });
  // While MariaDB creates a view, it runs the functions that the view calls. They may run for any time, so a
  // separate session is used.
  await inspectSeparately(ctx.access.openProvisioner(to), to.engine, async (session) => {
    await session.run(`USE ${quoteName(database.schemaName)}`);
    await makeRoutinesAndViews(session, database, definitions);
  });
  await grantAll(run);
}

/** Lists the platform tables that `preparePlacement` has created. */
async function listExisting({ target, database }: MoveRun): Promise<{ schema: string; name: string }[]> {
  const rows = await target.rows<{ schema: string; name: string }>(
    `SELECT TABLE_SCHEMA AS \`schema\`, TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA IN (?, ?) AND TABLE_TYPE = 'BASE TABLE'`,
    [database.schemaName, sideSchemaName(database.schemaName)],
  );
  return rows.filter((row) => row.name !== MOVE_MARK);
}

/**
 * Creates routines and views. They may depend on each other, so creating them is repeated until all exist.
 */
async function makeRoutinesAndViews(
  session: AdminConnection,
  database: WorkerDatabase,
  { routines, views }: Definitions,
): Promise<void> {
  let open = [...routines, ...views];
  while (open.length > 0) {
    const rejected: { created: (typeof open)[number]; error: unknown }[] = [];
    for (const created of open) {
      try {
        await session.run(`SET SESSION sql_mode = ${quoteText(created.sqlMode)}`);
        await session.run(created.create);
      } catch (error) {
        if (readServerFault(error)?.isConnectionLost !== false) throw error;
        rejected.push({ created, error });
      }
    }
    const [first] = rejected;
    if (first !== undefined && rejected.length === open.length)
      throw toRejection(database, first.created.name, first.error);
    open = rejected.map(({ created }) => created);
  }
}

async function make(connection: AdminConnection, database: WorkerDatabase, sql: string): Promise<void> {
  try {
    await connection.run(sql);
  } catch (error) {
    throw toRejection(database, /`((?:[^`]|``)+)`/.exec(sql)?.[1] ?? '', error);
  }
}

/** Returns the error for a definition that the new server rejects. */
export function toRejection(database: WorkerDatabase, name: string, error: unknown): unknown {
  const fault = readServerFault(error);
  if (fault === null || fault.isConnectionLost) return error;
  return new AppError('transfer.not_possible', {
    detail: `The other server rejected ${name}: ${cleanMessage(fault.message, database.schemaName)}`,
    extra: { errno: fault.errno },
  });
}

/**
 * Grants the rights of all accounts. It runs again just before the placement switch, for accounts that were
 * created in between.
 */
export async function grantAll({ ctx, database, to }: MoveRun): Promise<void> {
  const accounts = await ctx.directory.listAccounts(database.id);
  await withConnection(ctx.access.openProvisioner(to), async (provisioner) => {
    for (const account of accounts) {
      if (account.rightsHash !== '')
        await ensurePlatformAccount(ctx, provisioner, {
          server: to,
          database,
          kind: account.kind,
          rightsHash: account.rightsHash,
          rights: account.rights,
        });
    }
    const tables = await inspectSeparately(
      ctx.access.openMigrator(to, database, accounts),
      to.engine,
      (session) => introspectSchema(session, database.schemaName, to.engine),
    );
    await recomputeGrants(
      provisioner,
      database,
      accounts.filter((account) => account.kind === 'query' || account.kind === 'query_write'),
      tables,
    );
  });
}

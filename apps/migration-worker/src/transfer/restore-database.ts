import { createHash } from 'node:crypto';
import type { TaskPayload, TaskResult, TransferTable } from '@rowhouse/contracts';
import { findStopwordTables, listCreateObjects } from '@rowhouse/ddl-plan';
import { AppError } from '@rowhouse/errors';
import { quoteName, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type {
  TransferFileRecord,
  WorkerAccount,
  WorkerDatabase,
  WorkerServer,
} from '@rowhouse/platform-store';
import { withoutInvoker } from '@rowhouse/query-engine';
import { nameSnapshot, type Snapshot } from '@rowhouse/schema-model';
import { decodeSnapshot, encodeSnapshot } from '@rowhouse/snapshot-store';
import { listAccountsToRegrant, recomputeGrants } from '../accounts/grants/recompute-grants.js';
import { cleanMessage } from '../scratch/apply-schema-text.js';
import { createsStoredObject, openDefiner } from '../accounts/definer-account.js';
import { isDeployable } from '../accounts/stored-objects.js';
import { guardStopwordTables } from '../accounts/guard-stopword-tables.js';
import { asProvisioner, withConnection } from '../servers/server-access.js';
import { describeDirect } from '../snapshots/describe-direct.js';
import { inspectSchema, readSchema, inspectSeparately } from '../snapshots/inspect-schema.js';
import { publish } from '../snapshots/publish.js';
import { emptySnapshot } from '../snapshots/read-deployed.js';
import type { WorkerContext } from '../worker-context.js';
import { loadRowsOfFile } from './load-rows-of-file.js';
import { findBooleanNumbers } from './find-boolean-numbers.js';
import { findDanglingRows } from './load-notes.js';
import { openLoadSession, type LoadSession } from './load-session.js';

import { createRowDigest, makeRowText } from './row-text.js';
import { readProbedServer } from '../servers/read-probed-server.js';
import { makeSchemasAndAccounts } from '../accounts/make-schemas-and-accounts.js';
/**
 * Creates a new database from a file. Clients cannot reach the database until its rows are loaded and
 * compared. Then the database becomes ready, with its schema as its first snapshot. The progress of the load
 * is recorded in the same database as the data, so another worker can continue it.
 */
export async function restoreDatabase(
  ctx: WorkerContext,
  payload: TaskPayload<'restore_database'>,
): Promise<TaskResult<'restore_database'>> {
  const database = await ctx.directory.readDatabase(payload.database_id);
  if (database.isDeleted) throw new AppError('resource.not_found', { detail: 'The database was deleted.' });
  const { createdBy } = await ctx.transfers.beginLoad(payload.load_id);
  const file = await ctx.transfers.readFile(payload.file_id);
  // An earlier attempt completed the load, but did not record its end.
  if (database.provisionState === 'ready') {
    await ctx.transfers.endLoad(payload.load_id, 'done', null);
    return { rows: file.rowsTotal };
  }
  const server = await readProbedServer(ctx, database.serverId);
  const snapshot = await readSnapshotOf(file, server);
  await makeSchemasAndAccounts(ctx, server, database);
  const accounts = await ctx.directory.listAccounts(database.id);
  await withConnection(ctx.access.openMigrator(server, database, accounts), async (connection) => {
    const session = await openLoadSession(connection, database, server.engine, payload.load_id);
    const target: Target = { database, server, file, snapshot, session, loadId: payload.load_id };
    await include(ctx, target);
    await hideFromQueries(ctx, target, accounts);
    await publishFirst(ctx, target, accounts, { revision: payload.revision, createdBy });
    await session.forget();
  });
  ctx.failPoint('restore-before-end');
  await ctx.transfers.endLoad(payload.load_id, 'done', null);
  return { rows: file.rowsTotal };
}

interface Target {
  readonly database: WorkerDatabase;
  readonly server: WorkerServer;
  readonly file: TransferFileRecord;
  readonly snapshot: Snapshot;
  readonly session: LoadSession;
  readonly loadId: string;
}

async function readSnapshotOf(file: TransferFileRecord, server: WorkerServer): Promise<Snapshot> {
  if (file.schemaBody === null)
    throw new AppError('internal.defect', { internal: `file ${file.id} has no schema` });
  const snapshot = await decodeSnapshot(file.schemaBody, file.contentHash);
  if (snapshot.engine === server.engine) return snapshot;
  throw new AppError('transfer.not_possible', {
    detail: `This file was created on ${snapshot.engine}, but the new database runs on ${server.engine}.`,
    hint: 'Download the file and import it as SQL text.',
  });
}

async function include(
  ctx: Pick<WorkerContext, 'access' | 'failPoint' | 'logger' | 'own' | 'transfers'>,
  target: Target,
): Promise<void> {
  const { session, snapshot, file, server, loadId } = target;
  let position = await session.read();
  if (position.stage === 'schema') {
    await session.notes.forget();
    await emptySchema(session.connection, target.database.schemaName);
    const omitted = await withConnection(openDefiner(ctx, server, target.database.schemaName), (definer) =>
      makeStructure(target, definer),
    );
    // Rows are loaded only after other tenants can no longer compare words with them.
    if (findStopwordTables(null, snapshot).length > 0)
      await guardStopwordTables(ctx, server, target.database.schemaName);
    await session.notes.add([...(file.manifest?.leftOut ?? []), ...omitted]);
    const acting = new Set(file.manifest?.actingTriggers ?? []);
    if (acting.size > 0)
      await withConnection(openDefiner(ctx, server, target.database.schemaName), (definer) =>
        makeTriggers(definer, snapshot, (name) => acting.has(name)),
      );
    position = { stage: 'rows', done: 0, rows: 0 };
    await session.write(position);
    ctx.failPoint('restore-structure');
  }
  if (server.engine === 'mariadb') await session.connection.run('SET SESSION check_constraint_checks = 0');
  position = await loadRowsOfFile(ctx, session, { loadId, file, schemaName: target.database.schemaName });
  await session.write({ ...position, stage: 'finish' });
  await ctx.transfers.noteLoad(loadId, {
    state: 'verifying',
    chunksDone: position.done,
    rowsDone: position.rows,
  });
  ctx.failPoint('restore-rows');
  const tables = file.manifest?.tables ?? [];
  await verifyTables(session.connection, snapshot, tables);
  const dangling = await findDanglingRows(session.connection, snapshot.tables);
  const numbers = await findBooleanNumbers(
    session.connection,
    snapshot.tables,
    target.database.settings.number_columns,
  );
  await ctx.transfers.writeLoadNotes(loadId, [...(await session.notes.read()), ...dangling, ...numbers]);
  for (const table of tables)
    if (table.nextNumber !== null)
      await session.connection.run(
        `ALTER TABLE ${quoteName(table.name)} AUTO_INCREMENT = ${BigInt(table.nextNumber)}`,
      );
  if (snapshot.tables.some((table) => (table.triggers ?? []).length > 0)) {
    await withConnection(openDefiner(ctx, server, target.database.schemaName), (definer) =>
      makeTriggers(definer, snapshot),
    );
  }
  ctx.failPoint('restore-verified');
}

/** Removes the objects that an earlier attempt left in the schema. */
async function emptySchema(connection: AdminConnection, schemaName: string): Promise<void> {
  const tables = await connection.rows<{ name: string; type: string }>(
    'SELECT TABLE_NAME AS name, TABLE_TYPE AS type FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?',
    [schemaName],
  );
  for (const { name, type } of tables)
    await connection.run(`DROP ${type === 'VIEW' ? 'VIEW' : 'TABLE'} ${quoteName(name)}`);
  const routines = await connection.rows<{ name: string; type: string }>(
    'SELECT ROUTINE_NAME AS name, ROUTINE_TYPE AS type FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = ?',
    [schemaName],
  );
  for (const { name, type } of routines)
    await connection.run(`DROP ${type === 'FUNCTION' ? 'FUNCTION' : 'PROCEDURE'} ${quoteName(name)}`);
}

/**
 * Creates all objects except triggers, which would act on the loaded rows. Returns a sentence for each object
 * that is omitted.
 */
async function makeStructure(
  { session, snapshot, database, server }: Target,
  definer: AdminConnection,
): Promise<string[]> {
  const tables = snapshot.tables.map(({ triggers: _triggers, ...table }) => table);
  const [routines, rejected] = partition(snapshot.routines ?? [], (routine) =>
    isDeployable(server, routine.createSql),
  );
  const omitted = rejected.map(
    ({ kind, name }) =>
      `The ${kind} ${name} was omitted, because it has dynamic SQL, which routines on this server ` +
      'cannot contain.',
  );
  for (const { object, name, sql } of listCreateObjects({ ...snapshot, tables, routines })) {
    try {
      await run(
        createsStoredObject(sql) ? definer : session.connection,
        database.schemaName,
        withoutInvoker(sql),
      );
    } catch (error) {
      // A view may depend on an object that a direct connection dropped. The view has no rows and must not
      // prevent the restore.
      if (object !== 'view' || !(error instanceof AppError)) throw error;
      omitted.push(`The view ${name} was omitted. ${error.detail}`);
    }
  }
  return omitted;
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter((item) => isFirst(item)), items.filter((item) => !isFirst(item))];
}

async function makeTriggers(
  connection: AdminConnection,
  snapshot: Snapshot,
  isCreated: (name: string) => boolean = () => true,
): Promise<void> {
  for (const trigger of snapshot.tables
    .flatMap((table) => table.triggers ?? [])
    .filter(({ name }) => isCreated(name))) {
    await connection.run(`DROP TRIGGER IF EXISTS ${quoteName(trigger.name)}`);
    await connection.run(trigger.createSql);
  }
}

async function run(connection: AdminConnection, schemaName: string, statement: string): Promise<void> {
  try {
    await connection.run(statement);
  } catch (error) {
    const fault = readServerFault(error);
    if (fault === null || fault.isConnectionLost) throw error;
    throw new AppError('schema.invalid_sql', {
      detail: `The server rejected the schema of this file: ${cleanMessage(fault.message, schemaName)}`,
      extra: { statement: statement.slice(0, 500), errno: fault.errno },
    });
  }
}

/** Removes rights from the query account, which was created with rights on the whole schema. */
async function hideFromQueries(
  ctx: Pick<WorkerContext, 'access'>,
  { database, server }: Target,
  all: readonly WorkerAccount[],
): Promise<void> {
  const accounts = listAccountsToRegrant(all, database);
  if (accounts.length === 0) return;
  const { tables } = await inspectSeparately(
    ctx.access.openMigrator(server, database, all),
    server.engine,
    (check) => readSchema(check, database.schemaName, server.engine),
  );
  await withConnection(ctx.access.openProvisioner(server), (provisioner) =>
    recomputeGrants(provisioner, database, accounts, tables),
  );
}

async function publishFirst(
  ctx: WorkerContext,
  target: Target,
  accounts: readonly WorkerAccount[],
  by: { readonly revision: number; readonly createdBy: string },
): Promise<void> {
  const { database, server, snapshot } = target;
  const raw = await inspectSeparately(
    ctx.access.openMigrator(server, database, accounts),
    server.engine,
    (check) => inspectSchema(check, database.schemaName, server.engine, asProvisioner(ctx.access, server)),
  );
  const live = nameSnapshot(raw, snapshot);
  const described = await describeDirect(database, emptySnapshot(server.engine), live, by.createdBy);
  // The id is equal for each attempt, so that a restore appears once in the history.
  const migrationId = `mig_${createHash('sha256').update(target.loadId).digest('hex').slice(0, 20)}`;
  const history =
    described === undefined
      ? {}
      : { history: { ...described, migrationId, origin: 'restore' as const, revision: by.revision } };
  const outcome = await publish(ctx, {
    database,
    content: await encodeSnapshot(live),
    afterNumber: 0,
    origin: 'provision',
    marksReady: true,
    ...history,
  });
  if (outcome.kind === 'migrating')
    throw new AppError('schema.busy', { internal: `${database.id} migrates before it is ready` });
}

/**
 * Reads every loaded row and compares the digest with the file's digest of the table.
 * Throws `transfer.differs`.
 */
async function verifyTables(
  connection: AdminConnection,
  snapshot: Snapshot,
  tables: readonly TransferTable[],
): Promise<void> {
  const differing: string[] = [];
  // Rows of a dump have no digest. Each chunk was counted when it was loaded, and triggers may have changed
  // other rows.
  for (const expected of tables.filter(({ digest }) => digest !== null)) {
    const table = snapshot.tables.find((entry) => entry.name === expected.name);
    const found = createRowDigest();
    if (table !== undefined)
      for await (const row of connection.stream<{ t: string | null }>(makeRowText(table).select))
        found.add(row.t ?? '');
    if (found.rows !== expected.rows || found.digest !== expected.digest)
      differing.push(`${expected.name} (${found.rows} of ${expected.rows} rows)`);
  }
  if (differing.length > 0)
    throw new AppError('transfer.differs', {
      detail:
        `The restored ${differing.join(', ')} ${differing.length === 1 ? 'differs' : 'differ'} from ` +
        'the file.',
      extra: { tables: differing },
    });
}

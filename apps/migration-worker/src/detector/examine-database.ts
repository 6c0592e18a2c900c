import { findStopwordTables } from '@rowhouse/ddl-plan';
import { UNKNOWN_SCHEMA } from '@rowhouse/errors';
import { readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerAccount, WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import { nameSnapshot, type EngineKind, type RawSchema, type Snapshot } from '@rowhouse/schema-model';
import { encodeChanged, hashSnapshot } from '@rowhouse/snapshot-store';
import { listAccountsToRegrant, recomputeGrants } from '../accounts/grants/recompute-grants.js';
import { guardStopwordTables } from '../accounts/guard-stopword-tables.js';
import { asProvisioner, withConnection } from '../servers/server-access.js';
import { describeDirect } from '../snapshots/describe-direct.js';
import { inspectSchema, readSchema } from '../snapshots/inspect-schema.js';
import { publish } from '../snapshots/publish.js';
import { readDeployed } from '../snapshots/read-deployed.js';
import type { WorkerContext } from '../worker-context.js';

const ATTEMPTS_MAX = 5;
const LOCK_WAIT_SECONDS = 1;
const STATEMENT_SECONDS_MAX = 15;

/**
 * The result of an examination. `later` means that a migration is running, so the examination must be
 * repeated after it.
 */
export type Examination = 'same' | 'published' | 'later' | 'gone';

/** Reads the schema. Publishes the schema as the next snapshot if it differs from the published one. */
export async function examineDatabase(
  ctx: WorkerContext,
  databaseId: string,
  actorId = '',
): Promise<Examination> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const database = await ctx.directory.readDatabase(databaseId);
    if (database.isDeleted || database.provisionState !== 'ready') return 'gone';
    const server = await ctx.directory.readServer(database.serverId);
    const accounts = await ctx.directory.listAccounts(databaseId);
    const deployed = await readDeployed(ctx, database, server.engine);
    const looked = await withConnection(
      ctx.access.openMigrator(server, database, accounts),
      async (connection) => {
        await boundLook(connection, server.engine);
        const withDefinitions = asProvisioner(ctx.access, server);
        const first = nameSnapshot(
          await readSchema(connection, database.schemaName, server.engine, withDefinitions),
          deployed,
        );
        // The guard is invisible, so the snapshot stays the same.
        if (findStopwordTables(null, first).length > 0)
          await guardStopwordTables(ctx, server, database.schemaName);
        if ((await hashSnapshot(first)) === database.snapshotHash) return null;
        return inspectSchema(connection, database.schemaName, server.engine, withDefinitions);
      },
    ).catch((error: unknown) => {
      // The owner may have dropped the whole schema, and then the server cannot describe it.
      if (readServerFault(error instanceof Error ? (error.cause ?? error) : error)?.errno === UNKNOWN_SCHEMA)
        return 'gone' as const;
      throw error;
    });
    await ctx.directory.markMissing(databaseId, looked === 'gone');
    if (looked === null) return 'same';
    if (looked === 'gone') {
      ctx.logger.warn({ database: databaseId }, 'a database is not on its server any more');
      return 'gone';
    }
    const outcome = await publishDirect(ctx, { database, server, accounts, deployed, actorId }, looked);
    if (outcome !== 'overtaken') return outcome;
  }
  return 'later';
}

/**
 * Limits the run time of an examination's statements. Only a few examinations run in parallel, so a locked
 * table or an endless view must not occupy their slots.
 */
async function boundLook(connection: AdminConnection, engine: EngineKind): Promise<void> {
  const limit =
    engine === 'mariadb'
      ? `max_statement_time = ${STATEMENT_SECONDS_MAX}`
      : `max_execution_time = ${STATEMENT_SECONDS_MAX * 1_000}`;
  await connection.run(`SET SESSION lock_wait_timeout = ${LOCK_WAIT_SECONDS}, ${limit}`);
}

interface Examined {
  readonly database: WorkerDatabase;
  readonly server: WorkerServer;
  readonly accounts: readonly WorkerAccount[];
  readonly deployed: Snapshot;
  /** The connection user who made the change; '' when unknown. */
  readonly actorId: string;
}

async function publishDirect(
  ctx: WorkerContext,
  { database, server, accounts, deployed, actorId }: Examined,
  schema: RawSchema,
): Promise<Examination | 'overtaken'> {
  const snapshot = nameSnapshot(schema, deployed);
  const content = await encodeChanged(snapshot, database.snapshotHash);
  if (content === null) return 'same';
  const narrowed = listAccountsToRegrant(accounts, database);
  if (narrowed.length > 0)
    await withConnection(ctx.access.openProvisioner(server), (provisioner) =>
      recomputeGrants(provisioner, database, narrowed, schema.tables),
    );
  const outcome = await publish(ctx, {
    database,
    content,
    afterNumber: database.snapshotNumber,
    origin: 'direct',
    history: await describeDirect(database, deployed, snapshot, actorId),
  });
  if (outcome.kind === 'migrating') return 'later';
  return outcome.kind;
}

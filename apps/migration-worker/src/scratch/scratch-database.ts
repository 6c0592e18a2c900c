import { setTimeout as pause } from 'node:timers/promises';
import { generatePassword } from '@rowhouse/credentials';
import {
  quoteName,
  quoteText,
  toPlatformSqlMode,
  toSchemaSqlMode,
  type AdminConnection,
  SESSIONS,
} from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { randomBase32 } from '@rowhouse/runtime';
import type { EngineKind } from '@rowhouse/schema-model';
import { accountStatements, quoteAccount } from '../accounts/account-statements.js';
import { createsStoredObject } from '../accounts/definer-account.js';
import { ALL_SCHEMA_RIGHTS } from '../accounts/grants/schema-rights.js';
import { pauseBetween } from '../servers/pause-between.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';

/** An empty schema on a tenant's server, and an account that has rights only on this schema. */
export interface ScratchDatabase {
  readonly schemaName: string;
  /**
   * The session of the scratch account, with `schemaName` as its default schema. The session creates views,
   * triggers and routines as a deploy does.
   */
  readonly connection: AdminConnection;
  /** A session whose statements run in the SQL mode that the caller has set. */
  readonly plain: AdminConnection;
}

const STATEMENT_SECONDS_MAX = 30;
/** The run time of statements without pauses, in milliseconds. Most plans of a few tables need less. */
const RUN_FIRST_MS = 60;
/** A pattern for scratch names: `x` and 20 letters or digits. Tenants' schema names never start with `x`. */
const SCRATCH_NAME = '^x[a-z2-7]{20}$';

/** Creates a scratch database, runs `callback`, and always drops the database with its account. */
export async function withScratch<T>(
  ctx: Pick<WorkerContext, 'access' | 'failPoint'>,
  server: WorkerServer,
  callback: (scratch: ScratchDatabase) => Promise<T>,
): Promise<T> {
  const name = `x${randomBase32(20)}`;
  const password = generatePassword();
  return withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
    try {
      const limits = { connectionsMax: 2, statementSecondsMax: STATEMENT_SECONDS_MAX };
      for (const statement of accountStatements(
        server,
        name,
        password,
        limits,
        server.tls === 'required',
      ).slice(0, 1))
        await provisioner.run(statement);
      // The session is opened before the schema exists, because a sweep drops the schemas of accounts without
      // a session.
      return await withConnection(ctx.access.openForTables(server, name, password), async (connection) => {
        await provisioner.run(`GRANT ${ALL_SCHEMA_RIGHTS} ON ${quoteName(name)}.* TO ${quoteAccount(name)}`);
        await provisioner.run(
          `CREATE DATABASE ${quoteName(name)} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`,
        );
        ctx.failPoint('scratch-made');
        await connection.run(`USE ${quoteName(name)}`);
        // On MariaDB, the account limits the run time of statements. A limit is needed because views are read
        // once and may compute anything.
        if (server.engine === 'mysql')
          await connection.run(`SET SESSION max_execution_time = ${STATEMENT_SECONDS_MAX * 1_000}`);
        const plain = pauseBetween(connection, RUN_FIRST_MS);
        return callback({ schemaName: name, connection: inOwnMode(plain, server.engine), plain });
      });
    } finally {
      await dropScratch(provisioner, name);
    }
  });
}

/**
 * Runs each statement in the SQL mode that a deploy uses. Views, triggers and routines are created in the
 * mode of the definer's session, and everything else in the mode for tables.
 */
function inOwnMode(connection: AdminConnection, engine: EngineKind): AdminConnection {
  return {
    ...connection,
    async run(sql, values) {
      if (!createsStoredObject(sql)) return connection.run(sql, values);
      await connection.run(`SET SESSION sql_mode = '${toPlatformSqlMode(engine)}'`);
      try {
        return await connection.run(sql, values);
      } finally {
        if (!connection.isLost()) await connection.run(`SET SESSION sql_mode = '${toSchemaSqlMode(engine)}'`);
      }
    },
  };
}

async function dropScratch(provisioner: AdminConnection, name: string): Promise<void> {
  await provisioner.run(`DROP DATABASE IF EXISTS ${quoteName(name)}`);
  await provisioner.run(`DROP USER IF EXISTS ${quoteAccount(name)}`);
}

/**
 * The time between the two checks, in milliseconds. After its creation, a scratch account that is in use has
 * no session for only a few milliseconds.
 */
const SWEEP_GAP_MS = 10_000;

/**
 * Drops the scratch schemas and accounts that a dead worker has left. Such an account has no session in two
 * checks with some time in between. A single check is not enough, because another worker may be creating the
 * schema at that moment.
 */
export async function sweepScratch(
  ctx: Pick<WorkerContext, 'access'>,
  server: WorkerServer,
  gapMs = SWEEP_GAP_MS,
): Promise<number> {
  const first = new Set(await withConnection(ctx.access.openProvisioner(server), listLeftScratch));
  if (first.size === 0) return 0;
  await pause(gapMs);
  return withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
    const left = (await listLeftScratch(provisioner)).filter((name) => first.has(name));
    for (const name of left) await dropScratch(provisioner, name);
    return left.length;
  });
}

async function listLeftScratch(provisioner: AdminConnection): Promise<string[]> {
  const form = quoteText(SCRATCH_NAME);
  const schemas = await provisioner.rows<{ name: string }>(
    `SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA WHERE SCHEMA_NAME REGEXP ${form}`,
  );
  const grantee = `SUBSTRING_INDEX(SUBSTRING(GRANTEE, 2), '''@', 1)`;
  const users = await provisioner.rows<{ name: string }>(
    `SELECT DISTINCT ${grantee} AS name FROM information_schema.USER_PRIVILEGES WHERE ${grantee} REGEXP ${form}`,
  );
  const sessions = await provisioner.rows<{ name: string }>(`SELECT DISTINCT USER AS name FROM ${SESSIONS}`);
  const inUse = new Set(sessions.map((row) => row.name));
  return [...new Set([...schemas, ...users].map((row) => row.name))].filter((name) => !inUse.has(name));
}

import { setTimeout as pause } from 'node:timers/promises';
import { generatePassword } from '@rowhouse/credentials';
import { quoteName, quoteText, toPlatformSqlMode, toSchemaSqlMode, type AdminConnection, SESSIONS } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { randomBase32 } from '@rowhouse/runtime';
import type { EngineKind } from '@rowhouse/schema-model';
import { accountStatements, quoteAccount } from '../accounts/account-statements.js';
import { createsStoredObject } from '../accounts/definer-account.js';
import { ALL_SCHEMA_RIGHTS } from '../accounts/schema-rights.js';
import { restBetween } from '../servers/rest-between.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';

/** An empty schema on a tenant's own server, under an account that can reach nothing else. */
export interface ScratchDatabase {
  readonly schemaName: string;
  /** The scratch account's session; `schemaName` is its default schema. Creates views, triggers and routines as a deploy does. */
  readonly connection: AdminConnection;
  /** The same session, whose sql_mode is the caller's to set. */
  readonly plain: AdminConnection;
}

const STATEMENT_SECONDS_MAX = 30;
/** `x` and 20 letters: no tenant's schema starts with `x`. */
const SCRATCH_NAME = '^x[a-z2-7]{20}$';

/** Makes a scratch database, works with it and drops it with its account, whatever happens. */
export async function withScratch<T>(ctx: WorkerContext, server: WorkerServer, work: (scratch: ScratchDatabase) => Promise<T>): Promise<T> {
  const name = `x${randomBase32(20)}`;
  const password = generatePassword();
  return withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
    try {
      const limits = { connectionsMax: 2, statementSecondsMax: STATEMENT_SECONDS_MAX };
      for (const statement of accountStatements(server, name, password, limits, server.tls === 'required').slice(0, 1)) await provisioner.run(statement);
      // The session comes before the schema, and a sweep leaves alone what has a session.
      return await withConnection(ctx.access.openForTables(server, name, password), async (connection) => {
        await provisioner.run(`GRANT ${ALL_SCHEMA_RIGHTS} ON ${quoteName(name)}.* TO ${quoteAccount(name)}`);
        await provisioner.run(`CREATE DATABASE ${quoteName(name)} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
        ctx.failPoint('scratch-made');
        await connection.run(`USE ${quoteName(name)}`);
        // MariaDB has it of the account. Views are read once, and may compute what they like.
        if (server.engine === 'mysql') await connection.run(`SET SESSION max_execution_time = ${STATEMENT_SECONDS_MAX * 1_000}`);
        const plain = restBetween(connection);
        return work({ schemaName: name, connection: inOwnMode(plain, server.engine), plain });
      });
    } finally {
      await dropScratch(provisioner, name);
    }
  });
}

/**
 * Runs what creates a view, trigger or routine in the mode of the definer's session, in which a deploy creates it, and
 * everything else in the mode of tables.
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

/** A living scratch account has no session for a few milliseconds only, just after it was made. */
const SWEEP_GAP_MS = 10_000;

/**
 * Drops what a worker that died left behind: scratch schemas and accounts that had no session at two looks with a gap
 * between them. Any worker may be making one at this very moment.
 */
export async function sweepScratch(ctx: WorkerContext, server: WorkerServer, gapMs = SWEEP_GAP_MS): Promise<number> {
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
  const schemas = await provisioner.rows<{ name: string }>(`SELECT SCHEMA_NAME AS name FROM information_schema.SCHEMATA WHERE SCHEMA_NAME REGEXP ${form}`);
  const grantee = `SUBSTRING_INDEX(SUBSTRING(GRANTEE, 2), '''@', 1)`;
  const users = await provisioner.rows<{ name: string }>(`SELECT DISTINCT ${grantee} AS name FROM information_schema.USER_PRIVILEGES WHERE ${grantee} REGEXP ${form}`);
  const sessions = await provisioner.rows<{ name: string }>(`SELECT DISTINCT USER AS name FROM ${SESSIONS}`);
  const inUse = new Set(sessions.map((row) => row.name));
  return [...new Set([...schemas, ...users].map((row) => row.name))].filter((name) => !inUse.has(name));
}

// @ts-check
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';
import { createKey } from '../support/control.mjs';
import { openApi } from '../support/http.mjs';
import { openDatabaseGuards } from './database-guards.mjs';
import { openIsolation } from './stage.mjs';
import { CONTROL } from './vectors/control.mjs';
import { DATA } from './vectors/data.mjs';
import { LEAVING } from './vectors/leaving.mjs';
import { PEOPLE } from './vectors/people.mjs';
import { openOwner, SQL } from './vectors/sql.mjs';
import { STORED_OBJECTS } from './vectors/stored-objects.mjs';

/** @typedef {import('./attempt.mjs').Attempt} Attempt */
/** @typedef {Awaited<ReturnType<typeof openAttacks>>} Attacks */
/** @typedef {{ attempt: Attempt, isIn: boolean, fault: string | null }} Tried */

/** @type {readonly Attempt[]} */
export const ATTEMPTS = [...CONTROL, ...PEOPLE, ...LEAVING, ...DATA, ...SQL, ...STORED_OBJECTS];

/**
 * Creates the two tenants and the functions that attempts need.
 * @param {import('./stage.mjs').IsolationEnvironment} environment
 * @param {string | null} mutationFile the file that the processes read; null when no guard can be turned off
 */
export async function openAttacks(environment, mutationFile) {
  const base = await openIsolation(environment);
  const { guards, owner } = await openDatabaseGuards(base);
  const redis = new Redis(environment.redisUrl);
  const victims = await openOwner(base.victim);
  /** @type {ReadonlySet<string>} */
  let down = new Set();
  /** @type {import('mysql2/promise').Connection | null} */
  let alongside = null;
  return {
    ...base,
    isDown: (/** @type {string} */ name) => down.has(name),
    openDirect: owner.open,
    openPlatform() {
      const { host, port } = environment.platform;
      return createConnection({ host, port, user: owner.user, password: owner.password });
    },
    /** Returns the id of a session of the victim. */
    async otherSession() {
      const isAlive =
        alongside !== null &&
        (await alongside.query('SELECT 1').then(
          () => true,
          () => false,
        ));
      if (!isAlive) {
        alongside = await victims.open();
        alongside.on('error', () => undefined);
      }
      return Number(alongside?.threadId);
    },
    forgeRecord: (/** @type {string} */ what) => forgeRecord(base, redis, what),
    lendIdempotency: (/** @type {string} */ key) =>
      down.has('side schema') ? lendIdempotency(base, key) : Promise.resolve(),
    /** @param {readonly string[]} names */
    async takeDown(names) {
      for (const name of down) if (!names.includes(name)) await guards[name]?.up();
      for (const name of names) if (!down.has(name)) await guards[name]?.down();
      down = new Set(names);
      if (mutationFile !== null) writeFileSync(mutationFile, JSON.stringify(names));
    },
    async close() {
      alongside?.destroy();
      redis.disconnect();
      await base.close();
    },
  };
}

/**
 * Runs each attempt once, with its own guards off or with all of them on.
 * @param {Attacks} s
 * @param {readonly Attempt[]} attempts
 * @param {{ areGuardsDown: boolean }} options
 * @returns {Promise<Tried[]>}
 */
export async function runAttempts(s, attempts, { areGuardsDown }) {
  /** @type {Tried[]} */
  const tried = [];
  for (const guards of new Set(attempts.map((attempt) => attempt.guards.join()))) {
    const group = attempts.filter((attempt) => attempt.guards.join() === guards);
    await s.takeDown(areGuardsDown ? (group[0]?.guards ?? []) : []);
    for (const attempt of group) {
      try {
        tried.push({ attempt, isIn: await attempt.run(s), fault: null });
      } catch (error) {
        tried.push({ attempt, isIn: false, fault: error instanceof Error ? error.message : String(error) });
      }
    }
  }
  await s.takeDown([]);
  return tried;
}

/**
 * Writes a forged key record for a key that no gateway has cached. This is what an attacker could do with
 * access to Redis but without any secret.
 * @param {Awaited<ReturnType<typeof openIsolation>>} s
 * @param {Redis} redis
 * @param {string} what
 */
async function forgeRecord(s, redis, what) {
  const own = await createKey(s.attacker.person, {
    name: 'forged',
    tables: { users: ['read'] },
    scopes: ['read'],
  });
  const [rows] = await s.platform.query(
    'SELECT id, cell_id, database_id, lineage_id, HEX(key_hash) AS hash FROM rowhouse_cell.api_key WHERE id = ?',
    [own.id],
  );
  const row = /** @type {any[]} */ (rows)[0];
  const isOther = what.includes('victim');
  const record = {
    id: row.id,
    cellId: row.cell_id,
    databaseId: isOther ? s.victim.person.development.id : row.database_id,
    lineageId: row.lineage_id,
    scopes: ['read', 'write', 'delete', 'schema', 'query'],
    tables: null,
    rightsHash: '',
    origins: null,
    rate: null,
    expiresAtMs: null,
    revokedAtMs: null,
  };
  const head = Buffer.alloc(8);
  head.writeBigUInt64BE(2n ** 40n);
  await redis.set(
    `{c1}:key:${String(row.hash).toLowerCase()}`,
    Buffer.concat([randomBytes(32), head, Buffer.from(JSON.stringify(record))]),
    'EX',
    60,
  );
  const response = await openApi(s.base, own.secret).get('/vault');
  return response.text.includes(isOther ? s.victim.canary : s.attacker.canary);
}

/**
 * Copies a record as if the records of all tenants were in one table.
 * @param {Awaited<ReturnType<typeof openIsolation>>} s
 * @param {string} key
 */
async function lendIdempotency(s, key) {
  const [rows] = await s.platform.query(
    'SELECT lineage_id FROM rowhouse_cell.api_key WHERE database_id = ? AND created_at = (SELECT MIN(created_at) FROM rowhouse_cell.api_key WHERE database_id = ?)',
    [s.attacker.person.development.id, s.attacker.person.development.id],
  );
  const lineage = /** @type {any[]} */ (rows)[0].lineage_id;
  await s.admin.query(
    `INSERT INTO ${s.attacker.schema}s.idempotency SELECT ?, idempotency_key, fingerprint, status, headers, body, created_at FROM ${s.victim.schema}s.idempotency WHERE idempotency_key = ?`,
    [lineage, key],
  );
}

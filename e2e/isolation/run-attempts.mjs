// @ts-check
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';
import { createKey } from '../support/control.mjs';
import { openApi } from '../support/http.mjs';
import { openDatabaseWalls } from './database-walls.mjs';
import { openIsolation } from './stage.mjs';
import { CONTROL } from './roads/control.mjs';
import { DATA } from './roads/data.mjs';
import { LEAVING } from './roads/leaving.mjs';
import { PEOPLE } from './roads/people.mjs';
import { openOwner, SQL } from './roads/sql.mjs';
import { STORED_OBJECTS } from './roads/stored-objects.mjs';

/** @typedef {import('./attempt.mjs').Attempt} Attempt */
/** @typedef {Awaited<ReturnType<typeof openAttacks>>} Attacks */
/** @typedef {{ attempt: Attempt, isIn: boolean, fault: string | null }} Tried */

/** @type {readonly Attempt[]} */
export const ATTEMPTS = [...CONTROL, ...PEOPLE, ...LEAVING, ...DATA, ...SQL, ...STORED_OBJECTS];

/**
 * Opens the stage with what attempts need in addition.
 * @param {import('./stage.mjs').IsolationPlace} place
 * @param {string | null} breachFile the file that the processes read; null when no guard can be turned off
 */
export async function openAttacks(place, breachFile) {
  const base = await openIsolation(place);
  const { walls, owner } = await openDatabaseWalls(base);
  const redis = new Redis(place.redisUrl);
  const victims = await openOwner(base.victim);
  /** @type {ReadonlySet<string>} */
  let down = new Set();
  /** @type {import('mysql2/promise').Connection | null} */
  let beside = null;
  return {
    ...base,
    isDown: (/** @type {string} */ name) => down.has(name),
    openDirect: owner.open,
    openPlatform() {
      const { host, port } = place.platform;
      return createConnection({ host, port, user: owner.user, password: owner.password });
    },
    /** Returns the id of a session of the victim. */
    async otherSession() {
      const isAlive = beside !== null && (await beside.query('SELECT 1').then(() => true, () => false));
      if (!isAlive) {
        beside = await victims.open();
        beside.on('error', () => undefined);
      }
      return Number(beside?.threadId);
    },
    forgeRecord: (/** @type {string} */ what) => forgeRecord(base, redis, what),
    lendIdempotency: (/** @type {string} */ key) => (down.has('side schema') ? lendIdempotency(base, key) : Promise.resolve()),
    /** @param {readonly string[]} names */
    async takeDown(names) {
      for (const name of down) if (!names.includes(name)) await walls[name]?.up();
      for (const name of names) if (!down.has(name)) await walls[name]?.down();
      down = new Set(names);
      if (breachFile !== null) writeFileSync(breachFile, JSON.stringify(names));
    },
    async close() {
      beside?.destroy();
      redis.disconnect();
      await base.close();
    },
  };
}

/**
 * Runs each attempt once, with its own guards off or with all of them on.
 * @param {Attacks} s
 * @param {readonly Attempt[]} attempts
 * @param {{ areWallsDown: boolean }} options
 * @returns {Promise<Tried[]>}
 */
export async function runAttempts(s, attempts, { areWallsDown }) {
  /** @type {Tried[]} */
  const tried = [];
  for (const walls of new Set(attempts.map((attempt) => attempt.walls.join()))) {
    const group = attempts.filter((attempt) => attempt.walls.join() === walls);
    await s.takeDown(areWallsDown ? (group[0]?.walls ?? []) : []);
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
 * Writes a record of a key that no gateway has cached, as an attacker would who reaches Redis and knows no
 * secret.
 * @param {Awaited<ReturnType<typeof openIsolation>>} s
 * @param {Redis} redis
 * @param {string} what
 */
async function forgeRecord(s, redis, what) {
  const own = await createKey(s.attacker.person, { name: 'forged', tables: { users: ['read'] }, scopes: ['read'] });
  const [rows] = await s.platform.query('SELECT id, cell_id, database_id, lineage_id, HEX(key_hash) AS hash FROM rowhouse_cell.api_key WHERE id = ?', [own.id]);
  const row = /** @type {any[]} */ (rows)[0];
  const isOther = what.includes('victim');
  const record = {
    id: row.id, cellId: row.cell_id, databaseId: isOther ? s.victim.person.development.id : row.database_id, lineageId: row.lineage_id, scopes: ['read', 'write', 'delete', 'schema', 'query'], tables: null, rightsHash: '', origins: null, rate: null, expiresAtMs: null, revokedAtMs: null,
  };
  const head = Buffer.alloc(8);
  head.writeBigUInt64BE(2n ** 40n);
  await redis.set(`{c1}:key:${String(row.hash).toLowerCase()}`, Buffer.concat([randomBytes(32), head, Buffer.from(JSON.stringify(record))]), 'EX', 60);
  const answer = await openApi(s.base, own.secret).get('/vault');
  return answer.text.includes(isOther ? s.victim.canary : s.attacker.canary);
}

/**
 * Copies a record as if the records of all tenants were in one table.
 * @param {Awaited<ReturnType<typeof openIsolation>>} s
 * @param {string} key
 */
async function lendIdempotency(s, key) {
  const [rows] = await s.platform.query('SELECT lineage_id FROM rowhouse_cell.api_key WHERE database_id = ? AND created_at = (SELECT MIN(created_at) FROM rowhouse_cell.api_key WHERE database_id = ?)', [s.attacker.person.development.id, s.attacker.person.development.id]);
  const lineage = /** @type {any[]} */ (rows)[0].lineage_id;
  await s.admin.query(`INSERT INTO ${s.attacker.schema}s.idempotency SELECT ?, idempotency_key, fingerprint, status, headers, body, created_at FROM ${s.victim.schema}s.idempotency WHERE idempotency_key = ?`, [lineage, key]);
}

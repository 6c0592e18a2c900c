// @ts-check
/**
 * Sends and reads bodies of a million records in small pieces, so that this process never holds all of them
 * in memory.
 */
import { createHash } from 'node:crypto';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { createConnection, deploy } from '../control.mjs';
import { openApi } from '../http.mjs';
import { waitFor } from '../wait.mjs';

const COLUMNS =
  'id INT PRIMARY KEY, code VARCHAR(20) NOT NULL UNIQUE, amount DECIMAL(12,2) NOT NULL, note MEDIUMTEXT NULL';
/** The table `many` is for reading, and `received` is for writing. */
const MANY_ROWS_SQL = `CREATE TABLE many (${COLUMNS}); CREATE TABLE received (${COLUMNS});`;
const FILLER = 'abcdefgh ijklmnop,';

const DIGITS =
  '(SELECT 0 d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)';

/**
 * Returns a SELECT of the `count` numbers `n` after `from`, at most a million.
 * @param {number} count
 * @param {number} from
 */
export function selectNumbers(count, from) {
  const number = `${from} + 1 + a.d + 10 * b.d + 100 * c.d + 1000 * d.d + 10000 * e.d + 100000 * f.d`;
  return `SELECT n FROM (SELECT ${number} AS n FROM ${['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${DIGITS} ${name}`).join(', ')}) million WHERE n <= ${from + count}`;
}

/**
 * Returns SQL that inserts the same rows as `sendRows`, at most a million.
 * @param {number} count
 * @param {number} noteLength
 */
export function fillSql(count, noteLength) {
  return `INSERT INTO many SELECT n, CONCAT('c', n), n * 7 / 100, IF(n % 10 = 0, NULL, RPAD(CONCAT(n, ' '), ${noteLength}, '${FILLER}'))
    FROM (${selectNumbers(count, 0)}) numbers`;
}

/**
 * Deploys the tables to a new user's database and fills the table `many` through a direct connection.
 * @param {import('../control.mjs').TestUser} user
 * @param {string} gateway
 * @param {number} count
 * @param {number} noteLength
 * @returns {Promise<{ base: string, key: string }>} the target of requests
 */
export async function prepareRows(user, gateway, count, noteLength) {
  await deploy(user, MANY_ROWS_SQL);
  await waitFor(
    'the tables are served',
    async () => (await openApi(gateway, user.key).get('/received')).status === 200,
  );
  const { connection_string } = await createConnection(user, { name: 'fill', role: 'read-write' });
  const direct = await mysql.createConnection(connection_string);
  await direct.query(fillSql(count, noteLength));
  await direct.end();
  return { base: gateway, key: user.key };
}

const PIECE_LENGTH = 64 * 1024;

/** @param {number} id from 1 @param {number} noteLength */
function makeRow(id, noteLength) {
  return {
    id,
    code: `c${id}`,
    amount: (id * 7) / 100,
    note: id % 10 === 0 ? null : `${id} `.padEnd(noteLength, FILLER),
  };
}

/** @param {'ndjson' | 'csv'} format @param {number} id @param {number} noteLength */
function writeRow(format, id, noteLength) {
  const { code, amount, note } = makeRow(id, noteLength);
  const digits = amount.toFixed(2);
  if (format === 'ndjson')
    return `{"id":${id},"code":"${code}","amount":${digits},"note":${JSON.stringify(note)}}\n`;
  return `${id},${code},${digits},${note === null ? '' : `"${note}"`}\r\n`;
}

/**
 * Returns the digest of a stream of all rows in the order of their ids.
 * @param {'ndjson' | 'csv'} format
 * @param {number} count
 * @param {number} noteLength
 */
export function digestRows(format, count, noteLength) {
  const hash = createHash('sha256');
  if (format === 'csv') hash.update('id,code,amount,note\r\n');
  for (let id = 1; id <= count; id += 1) hash.update(writeRow(format, id, noteLength));
  return hash.digest('hex');
}

/**
 * @typedef {object} Target
 * @property {string} base
 * @property {string} key
 */

/**
 * Imports rows 1 to `count`, waiting whenever the gateway stops reading.
 * @param {Target} target
 * @param {{ format: 'ndjson' | 'csv', count: number, noteLength: number, prefer: string, query?: string }}
 *   options
 * @returns {Promise<{ status: number, report: any[], bytes: number }>}
 */
export async function sendRows({ base, key }, { format, count, noteLength, prefer, query = '' }) {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': format === 'csv' ? 'text/csv' : 'application/x-ndjson',
    Prefer: prefer,
  };
  const call = http.request(`${base}/v1/-/received${query}`, { method: 'POST', headers, agent: false });
  /** @type {Promise<http.IncomingMessage>} */
  const answer = new Promise((resolve, reject) => call.once('response', resolve).once('error', reject));
  answer.catch(() => undefined);
  let bytes = 0;
  let part = format === 'csv' ? 'id,code,amount,note\r\n' : '';
  const flush = async () => {
    bytes += part.length;
    const isTaken = call.write(part);
    part = '';
    if (!isTaken) await new Promise((resolve) => call.once('drain', () => resolve(undefined)));
  };
  for (let id = 1; id <= count; id += 1) {
    part += writeRow(format, id, noteLength);
    if (part.length >= PIECE_LENGTH) await flush();
  }
  await flush();
  call.end();
  const res = await answer;
  let text = '';
  for await (const chunk of res) text += String(chunk);
  const lines = text.trim() === '' ? [] : text.trim().split('\n');
  return { status: res.statusCode ?? 0, report: lines.map((line) => JSON.parse(line)), bytes };
}

/**
 * Reads a stream to its end and computes a digest of its rows.
 * @param {Target} target
 * @param {{ format: 'ndjson' | 'csv', bytesPerSecondMax?: number, path?: string }} options
 * @returns {Promise<{ status: number, rows: number, bytes: number, digest: string, isComplete: boolean }>}
 */
export async function readRows(
  { base, key },
  { format, bytesPerSecondMax = Number.POSITIVE_INFINITY, path = '/many' },
) {
  const headers = {
    Authorization: `Bearer ${key}`,
    Accept: format === 'csv' ? 'text/csv' : 'application/x-ndjson',
  };
  /** @type {http.IncomingMessage} */
  const res = await new Promise((resolve, reject) =>
    http.get(`${base}/v1/-${path}`, { headers, agent: false }, resolve).once('error', reject),
  );
  const hash = createHash('sha256');
  const startMs = performance.now();
  let bytes = 0;
  let lines = 0;
  try {
    for await (const chunk of res) {
      const part = /** @type {Buffer} */ (chunk);
      hash.update(part);
      bytes += part.length;
      for (let index = part.indexOf(10); index >= 0; index = part.indexOf(10, index + 1)) lines += 1;
      const aheadMs = (bytes / bytesPerSecondMax) * 1_000 - (performance.now() - startMs);
      if (aheadMs > 5) await sleep(aheadMs);
    }
  } catch {
    // The response was cut off. `res.complete` is then false.
  }
  return {
    status: res.statusCode ?? 0,
    rows: format === 'csv' ? lines - 1 : lines,
    bytes,
    digest: hash.digest('hex'),
    isComplete: res.complete,
  };
}

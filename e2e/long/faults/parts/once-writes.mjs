// @ts-check
/**
 * Defines writes of every kind under an Idempotency-Key, each with an effect that can be counted in the
 * database.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { send } from '../../../support/http.mjs';

/** The tables to which the writes go. */
export const ONCE_SCHEMA = `
CREATE TABLE effects (id INT AUTO_INCREMENT PRIMARY KEY, mark VARCHAR(60) NOT NULL, KEY (mark));
CREATE TABLE parents (id INT AUTO_INCREMENT PRIMARY KEY, mark VARCHAR(60) NOT NULL, KEY (mark));
CREATE TABLE children (id INT AUTO_INCREMENT PRIMARY KEY, parent_id INT NOT NULL, mark VARCHAR(60) NOT NULL, KEY (mark), FOREIGN KEY (parent_id) REFERENCES parents (id));
CREATE TABLE named (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(60) NOT NULL UNIQUE, hits INT NOT NULL DEFAULT 1);
CREATE TABLE counters (id INT PRIMARY KEY, value INT NOT NULL DEFAULT 0);
`;

/**
 * @typedef {object} OnceWrite
 * @property {string} key the Idempotency-Key, which also marks its rows
 * @property {string} kind
 * @property {string} method
 * @property {string} path
 * @property {unknown} [body]
 * @property {Record<string, number>} effect the expected number of rows with the write's mark, by table;
 *   `counter` is the expected value of the write's counter
 * @property {number} counter the id of its own counter
 * @typedef {object} Outcome
 * @property {OnceWrite} write
 * @property {import('../../../support/http.mjs').HttpResponse} answer
 * @property {number} attempts
 * @property {Record<string, number>} refused by status; `lost` counts attempts without a response
 */

/** @type {Record<string, (mark: string, counter: number) => Omit<OnceWrite, 'key' | 'kind' | 'counter'>>} */
const KINDS = {
  create: (mark) => ({ method: 'POST', path: '/effects', body: { mark }, effect: { effects: 1 } }),
  'create many': (mark) => ({
    method: 'POST',
    path: '/effects',
    body: [{ mark }, { mark }, { mark }],
    effect: { effects: 3 },
  }),
  'create with related records': (mark) => ({
    method: 'POST',
    path: '/parents',
    body: { mark, children: [{ mark }, { mark }] },
    effect: { parents: 1, children: 2 },
  }),
  upsert: (mark) => ({
    method: 'POST',
    path: '/named?_on_conflict=name',
    body: { name: mark, hits: 1 },
    effect: { named: 1 },
  }),
  increment: (_mark, counter) => ({
    method: 'PATCH',
    path: `/counters/${counter}`,
    body: { value: { $inc: 1 } },
    effect: { counter: 1 },
  }),
  'write by filter': (_mark, counter) => ({
    method: 'PUT',
    path: `/counters?id=${counter}`,
    body: { value: { $inc: 1 } },
    effect: { counter: 1 },
  }),
  delete: (_mark, counter) => ({ method: 'DELETE', path: `/counters/${counter}`, effect: { counter: -1 } }),
  batch: (mark, counter) => ({
    method: 'POST',
    path: '/_batch',
    body: {
      operations: [
        { method: 'POST', path: '/effects', body: { mark } },
        { method: 'PATCH', path: `/counters/${counter}`, body: { value: { $inc: 1 } } },
      ],
    },
    effect: { effects: 1, counter: 1 },
  }),
};

export const ONCE_KINDS = Object.keys(KINDS);

/**
 * @param {number} number counts from 1 and is used once; it determines the kind, mark and counter
 * @returns {OnceWrite}
 */
export function makeWrite(number) {
  const kind = ONCE_KINDS[number % ONCE_KINDS.length] ?? 'create';
  const key = `w${number}`;
  return { key, kind, counter: number, .../** @type {(typeof KINDS)[string]} */ (KINDS[kind])(key, number) };
}

/**
 * Sends a write until there is a final response, alternating between the gateways, as a client program would.
 * @param {readonly string[]} gateways
 * @param {string} apiKey
 * @param {OnceWrite} write
 * @param {{ first: number, failPoint?: string, sockets?: { open: number } }} how `first` is the gateway of
 *   the first attempt; `sockets` counts requests without a response
 * @returns {Promise<Outcome>}
 */
export async function sendUntilAnswered(
  gateways,
  apiKey,
  write,
  { first, failPoint, sockets = { open: 0 } },
) {
  /** @type {Record<string, number>} */
  const rejected = {};
  for (let attempt = 1; attempt <= 3_000; attempt += 1) {
    const base = gateways[(first + attempt - 1) % gateways.length] ?? '';
    sockets.open += 1;
    const response = await sendWrite(base, apiKey, write, attempt === 1 ? failPoint : undefined).catch(
      () => null,
    );
    sockets.open -= 1;
    if (response !== null && response.status < 300)
      return { write, answer: response, attempts: attempt, refused: rejected };
    const what = response === null ? 'lost' : String(response.status);
    rejected[what] = (rejected[what] ?? 0) + 1;
    // 409 is correct while the first attempt runs, and 503 and 504 while a database or gateway is down. Every
    // other status is a fault.
    if (response !== null && ![409, 503, 504].includes(response.status))
      throw new Error(`${write.kind} ${write.key}: ${response.status} ${response.text}`);
    await sleep(Math.min(20 * attempt, 200));
  }
  throw new Error(`${write.kind} ${write.key} was never answered: ${JSON.stringify(rejected)}`);
}

/** @param {string} base @param {string} apiKey @param {OnceWrite} write @param {string} [failPoint] */
export function sendWrite(base, apiKey, write, failPoint) {
  /** @type {Record<string, string>} */
  const headers = { Authorization: `Bearer ${apiKey}`, 'Idempotency-Key': write.key };
  if (failPoint !== undefined) headers['X-Fail-Point'] = failPoint;
  return send(base, write.method, `/v1/-${write.path}`, { headers, body: write.body });
}

// @ts-check
/**
 * Provides a client that records for each of its writes whether it was acknowledged, rejected or left open.
 * It reads acknowledged writes back while it goes on writing. `checkLedger` looks for all of them in the
 * database.
 */
import http from 'node:http';
import { keepPace } from '../long/lib/pace.mjs';
import { send } from '../support/http.mjs';

export const LEDGER_SCHEMA = `
CREATE TABLE entries (id INT AUTO_INCREMENT PRIMARY KEY, mark VARCHAR(60) NOT NULL UNIQUE, note VARCHAR(200) NULL);
CREATE TABLE counters (id INT AUTO_INCREMENT PRIMARY KEY, value INT NOT NULL DEFAULT 0);
`;

/**
 * @typedef {'made' | 'gone' | 'refused' | 'unsure'} EntryState
 * @typedef {{ state: EntryState, id: number | null }} Entry
 * @typedef {{ entries: Map<string, Entry>, counterId: number, hits: { sure: number, unsure: number } }}
 *   Ledger
 * @typedef {{ kind: string, base: string, sentMs: number, endMs: number, status: number, code: string, fault: string | null }}
 *   Asked `status` is 0 when no response came
 * @typedef {{ kind: string, method: string, path: string, body?: unknown, mark: string, entry: Entry | null }}
 *   Ask
 */

/** Error codes that leave open whether the write happened. Every other error means that it did not. */
const OPEN_CODES = new Set(['db.outcome_unknown', 'db.timeout', 'limit.statement_time', 'limit.batch_time', 'internal.defect']);
const TIMEOUT_MS = 20_000;
/**
 * The gateway closes a connection that was idle for 72 s, perhaps just when the next request is sent. A
 * careful client closes it first.
 */
const REST_MS_MAX = 60_000;
const KINDS = ['create', 'read', 'create', 'count', 'read', 'create', 'list', 'delete', 'create', 'read'];

/**
 * @param {{ gateways: readonly string[], key: string, perSecond: number, owner: string, prefix: string }} options
 *   `owner` is part of every mark of this tenant and of no other; `prefix` begins the marks of this client
 */
export async function startLedgerClient({ gateways, key, perSecond, owner, prefix }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 512, timeout: REST_MS_MAX });
  const headers = { Authorization: `Bearer ${key}` };
  const first = await send(gateways[0] ?? '', 'POST', '/v1/-/counters', { headers, body: { value: 0 } });
  if (first.status !== 201) throw new Error(`no counter: ${first.status} ${first.text}`);
  /** @type {Ledger} */
  const ledger = { entries: new Map(), counterId: first.json.id, hits: { sure: 0, unsure: 0 } };
  /**
   * Acknowledged records that are not being deleted.
   * @type {string[]}
   */
  const standing = [];
  /** @type {Asked[]} */
  let asked = [];
  const pending = new Set();
  let isStopped = false;

  /** @param {number} number @returns {Ask} */
  const choose = (number) => {
    const kind = KINDS[number % KINDS.length] ?? 'create';
    const mark = `${owner} ${prefix}${number}`;
    if (kind === 'count') return { kind, method: 'PATCH', path: `/counters/${ledger.counterId}`, body: { value: { $inc: 1 } }, mark, entry: null };
    if (kind === 'list') return { kind, method: 'GET', path: '/entries?limit=5&sort=-id', mark, entry: null };
    if (kind === 'create' || standing.length === 0) {
      /** @type {Entry} */
      const entry = { state: 'unsure', id: null };
      ledger.entries.set(mark, entry);
      return { kind: 'create', method: 'POST', path: '/entries', body: { mark, note: `note of ${mark}` }, mark, entry };
    }
    const at = (number * 7919) % standing.length;
    const known = standing[at] ?? '';
    const entry = /** @type {Entry} */ (ledger.entries.get(known));
    if (kind === 'delete') standing.splice(at, 1);
    return { kind, method: kind === 'delete' ? 'DELETE' : 'GET', path: `/entries/${entry.id}`, mark: known, entry };
  };

  /**
   * @param {Ask} ask
   * @param {import('../support/http.mjs').Answer | null} answer
   * @returns {string | null} the fault of the response
   */
  const note = (ask, answer) => {
    const isDone = answer !== null && answer.status >= 200 && answer.status < 300;
    const isOpen = answer === null || OPEN_CODES.has(answer.json?.code);
    if (ask.kind === 'create' && ask.entry !== null) {
      ask.entry.state = isDone ? 'made' : isOpen ? 'unsure' : 'refused';
      if (isDone) {
        ask.entry.id = answer.json?.id ?? null;
        standing.push(ask.mark);
        if (answer.json?.mark !== ask.mark) return `made ${ask.mark} and answered ${answer.text.slice(0, 100)}`;
      }
    }
    if (ask.kind === 'delete' && ask.entry !== null) {
      if (isDone) ask.entry.state = 'gone';
      else if (isOpen) ask.entry.state = 'unsure';
      else standing.push(ask.mark);
    }
    if (ask.kind === 'count') {
      if (isDone) ledger.hits.sure += 1;
      else if (isOpen) ledger.hits.unsure += 1;
    }
    if (ask.kind === 'read' && answer !== null) {
      // The record may have been deleted while this read was in progress.
      const isThere = standing.includes(ask.mark);
      if (answer.status === 404 && isThere) return `${ask.mark} was acknowledged and is not found`;
      if (isDone && answer.json?.mark !== ask.mark) return `/entries/${ask.entry?.id} is ${answer.text.slice(0, 100)} instead of ${ask.mark}`;
    }
    if (ask.kind === 'list' && isDone && answer.json.some((/** @type {any} */ row) => !row.mark.startsWith(`${owner} `))) return `a list has rows of somebody else: ${answer.text.slice(0, 200)}`;
    return null;
  };

  const fire = (/** @type {number} */ number) => {
    const ask = choose(number);
    const base = gateways[number % gateways.length] ?? '';
    const sentMs = performance.now();
    const work = send(base, ask.method, `/v1/-${ask.path}`, { headers, agent, timeoutMs: TIMEOUT_MS, ...(ask.body === undefined ? {} : { body: ask.body }) })
      .catch(() => null)
      .then((answer) => {
        const fault = note(ask, answer);
        asked.push({ kind: ask.kind, base, sentMs, endMs: performance.now(), status: answer?.status ?? 0, code: answer?.json?.code ?? '', fault });
      })
      .finally(() => pending.delete(work));
    pending.add(work);
  };
  const pace = keepPace({ perSecond, fire, until: () => isStopped });

  return {
    ledger,
    /** Returns the responses since the last call. */
    take() {
      const taken = asked;
      asked = [];
      return taken;
    },
    async stop() {
      isStopped = true;
      await pace;
      await Promise.all(pending);
      agent.destroy();
    },
  };
}

/** @typedef {Awaited<ReturnType<typeof startLedgerClient>>} LedgerClient */

/**
 * Returns whether a request was served. A 404 counts, because the record may have been deleted; `fault` is
 * set when it was not.
 * @param {Asked} one
 */
export function isServed(one) {
  return (one.status >= 200 && one.status < 300) || one.status === 404;
}

/**
 * Lists, as sentences, acknowledged writes that are missing and rejected writes that happened.
 * @param {import('mysql2/promise').Connection} direct
 * @param {string} schema the schema of the tenant
 * @param {Ledger} ledger
 */
export async function checkLedger(direct, schema, { entries, counterId, hits }) {
  const [rows] = await direct.query(`SELECT id, mark FROM ${schema}.entries`);
  const found = new Map(/** @type {{ id: number, mark: string }[]} */ (rows).map(({ id, mark }) => [mark, id]));
  /** @type {string[]} */
  const lost = [];
  /** @type {string[]} */
  const ghosts = [];
  for (const [mark, { state, id }] of entries) {
    if (state === 'made' && found.get(mark) !== id) lost.push(`${mark} was made as ${id} and is ${found.get(mark) ?? 'not there'}`);
    if (state === 'gone' && found.has(mark)) lost.push(`${mark} was deleted and is there`);
    if (state === 'refused' && found.has(mark)) ghosts.push(`${mark} was refused and is there`);
  }
  const [counted] = await direct.query(`SELECT value FROM ${schema}.counters WHERE id = ?`, [counterId]);
  const value = Number(/** @type {{ value: number }[]} */ (counted)[0]?.value ?? -1);
  if (value < hits.sure) lost.push(`the counter stands at ${value} after ${hits.sure} acknowledged increments`);
  if (value > hits.sure + hits.unsure) ghosts.push(`the counter stands at ${value} after ${hits.sure} acknowledged increments and ${hits.unsure} open ones`);
  const acknowledged = [...entries.values()].filter(({ state }) => state === 'made' || state === 'gone').length + hits.sure;
  const open = [...entries.values()].filter(({ state }) => state === 'unsure').length + hits.unsure;
  return { lost, ghosts, acknowledged, open };
}

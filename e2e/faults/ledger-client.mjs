// @ts-check
/**
 * Provides a client that records for each of its writes whether it was acknowledged, rejected or left open.
 * It reads acknowledged writes back while it goes on writing. `checkLedger` looks for all of them in the
 * database.
 */
import http from 'node:http';
import { limitPace } from '../long/lib/pace.mjs';
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
const OPEN_CODES = new Set([
  'db.outcome_unknown',
  'db.timeout',
  'limit.statement_time',
  'limit.batch_time',
  'internal.defect',
]);
const TIMEOUT_MS = 20_000;
/**
 * The maximum idle time of a connection. The gateway closes a connection that was idle for 72 s, possibly
 * while the next request is being sent. This client therefore closes it earlier.
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
   * The marks of acknowledged records that are not being deleted.
   * @type {string[]}
   */
  const existing = [];
  /** @type {Asked[]} */
  let requests = [];
  const pending = new Set();
  let isStopped = false;

  /** @param {number} number @returns {Ask} */
  const choose = (number) => {
    const kind = KINDS[number % KINDS.length] ?? 'create';
    const mark = `${owner} ${prefix}${number}`;
    if (kind === 'count')
      return {
        kind,
        method: 'PATCH',
        path: `/counters/${ledger.counterId}`,
        body: { value: { $inc: 1 } },
        mark,
        entry: null,
      };
    if (kind === 'list') return { kind, method: 'GET', path: '/entries?limit=5&sort=-id', mark, entry: null };
    if (kind === 'create' || existing.length === 0) {
      /** @type {Entry} */
      const entry = { state: 'unsure', id: null };
      ledger.entries.set(mark, entry);
      return {
        kind: 'create',
        method: 'POST',
        path: '/entries',
        body: { mark, note: `note of ${mark}` },
        mark,
        entry,
      };
    }
    const index = (number * 7919) % existing.length;
    const known = existing[index] ?? '';
    const entry = /** @type {Entry} */ (ledger.entries.get(known));
    if (kind === 'delete') existing.splice(index, 1);
    return {
      kind,
      method: kind === 'delete' ? 'DELETE' : 'GET',
      path: `/entries/${entry.id}`,
      mark: known,
      entry,
    };
  };

  /**
   * @param {Ask} ask
   * @param {import('../support/http.mjs').HttpResponse | null} response
   * @returns {string | null} the fault of the response
   */
  const note = (ask, response) => {
    const isDone = response !== null && response.status >= 200 && response.status < 300;
    const isOpen = response === null || OPEN_CODES.has(response.json?.code);
    if (ask.kind === 'create' && ask.entry !== null) {
      ask.entry.state = isDone ? 'made' : isOpen ? 'unsure' : 'refused';
      if (isDone) {
        ask.entry.id = response.json?.id ?? null;
        existing.push(ask.mark);
        if (response.json?.mark !== ask.mark)
          return `made ${ask.mark} and answered ${response.text.slice(0, 100)}`;
      }
    }
    if (ask.kind === 'delete' && ask.entry !== null) {
      if (isDone) ask.entry.state = 'gone';
      else if (isOpen) ask.entry.state = 'unsure';
      else existing.push(ask.mark);
    }
    if (ask.kind === 'count') {
      if (isDone) ledger.hits.sure += 1;
      else if (isOpen) ledger.hits.unsure += 1;
    }
    if (ask.kind === 'read' && response !== null) {
      // The record may have been deleted while this read was in progress.
      const exists = existing.includes(ask.mark);
      if (response.status === 404 && exists) return `${ask.mark} was acknowledged and is not found`;
      if (isDone && response.json?.mark !== ask.mark)
        return `/entries/${ask.entry?.id} is ${response.text.slice(0, 100)} instead of ${ask.mark}`;
    }
    if (
      ask.kind === 'list' &&
      isDone &&
      response.json.some((/** @type {any} */ row) => !row.mark.startsWith(`${owner} `))
    )
      return `a list has rows of somebody else: ${response.text.slice(0, 200)}`;
    return null;
  };

  const fire = (/** @type {number} */ number) => {
    const ask = choose(number);
    const base = gateways[number % gateways.length] ?? '';
    const sentMs = performance.now();
    const work = send(base, ask.method, `/v1/-${ask.path}`, {
      headers,
      agent,
      timeoutMs: TIMEOUT_MS,
      ...(ask.body === undefined ? {} : { body: ask.body }),
    })
      .catch(() => null)
      .then((response) => {
        const fault = note(ask, response);
        requests.push({
          kind: ask.kind,
          base,
          sentMs,
          endMs: performance.now(),
          status: response?.status ?? 0,
          code: response?.json?.code ?? '',
          fault,
        });
      })
      .finally(() => pending.delete(work));
    pending.add(work);
  };
  const pace = limitPace({ perSecond, fire, until: () => isStopped });

  return {
    ledger,
    /** Returns the responses since the last call. */
    take() {
      const taken = requests;
      requests = [];
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
 * @param {Asked} item
 */
export function isServed(item) {
  return (item.status >= 200 && item.status < 300) || item.status === 404;
}

/**
 * Lists, as sentences, acknowledged writes that are missing and rejected writes that happened.
 * @param {import('mysql2/promise').Connection} direct
 * @param {string} schema the schema of the tenant
 * @param {Ledger} ledger
 */
export async function checkLedger(direct, schema, { entries, counterId, hits }) {
  const [rows] = await direct.query(`SELECT id, mark FROM ${schema}.entries`);
  const found = new Map(
    /** @type {{ id: number, mark: string }[]} */ (rows).map(({ id, mark }) => [mark, id]),
  );
  /** @type {string[]} */
  const lost = [];
  /** @type {string[]} */
  const ghosts = [];
  for (const [mark, { state, id }] of entries) {
    if (state === 'made' && found.get(mark) !== id)
      lost.push(`${mark} was made as ${id} and is ${found.get(mark) ?? 'not there'}`);
    if (state === 'gone' && found.has(mark)) lost.push(`${mark} was deleted and is there`);
    if (state === 'refused' && found.has(mark)) ghosts.push(`${mark} was refused and is there`);
  }
  const [counted] = await direct.query(`SELECT value FROM ${schema}.counters WHERE id = ?`, [counterId]);
  const value = Number(/** @type {{ value: number }[]} */ (counted)[0]?.value ?? -1);
  if (value < hits.sure)
    lost.push(`the counter stands at ${value} after ${hits.sure} acknowledged increments`);
  if (value > hits.sure + hits.unsure)
    ghosts.push(
      `the counter stands at ${value} after ${hits.sure} acknowledged increments and ${hits.unsure} open ones`,
    );
  const acknowledged =
    [...entries.values()].filter(({ state }) => state === 'made' || state === 'gone').length + hits.sure;
  const open = [...entries.values()].filter(({ state }) => state === 'unsure').length + hits.unsure;
  return { lost, ghosts, acknowledged, open };
}

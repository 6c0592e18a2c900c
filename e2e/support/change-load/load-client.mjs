// @ts-check
import http from 'node:http';
import { send } from '../http.mjs';

/**
 * @typedef {import('../golden-change.mjs').FullShape} FullShape
 * @typedef {'before' | 'after'} Side
 * @typedef {{ gateways: readonly string[], key: string, shapes: { before: FullShape, after: FullShape }, refusals: readonly string[] }}
 *   ClientOptions
 * @typedef {object} Asked one request and its outcome
 * @property {string} kind
 * @property {number} dueMs the scheduled time, by the clock of `performance.timeOrigin`
 * @property {number} sentMs
 * @property {number} endMs
 * @property {number} status 0 without a response
 * @property {boolean} isRefused an error that is correct on the other side of the change
 * @property {string | null} fault
 * @typedef {object} Outcome
 * @property {import('../http.mjs').Answer | null} answer null if there was none, or the request was rejected
 * @property {readonly FullShape[]} shapes the shapes that the response may have
 * @property {(fault: string) => void} blame reports a wrong response
 * @typedef {object} Ask
 * @property {string} kind
 * @property {string} method
 * @property {string} path after `/v1/-`
 * @property {unknown} [body]
 * @property {Record<string, string>} [headers]
 * @property {number[]} ok the expected statuses
 * @property {number} [dueMs] defaults to the time of sending
 */

const CLOCK = performance.timeOrigin;
const REFUSALS_MAX_STATUS = 499;

/** @returns {number} epoch ms, comparable between processes */
export function readClock() {
  return CLOCK + performance.now();
}

/**
 * Sends requests to the gateways in turn, and checks and records each response.
 * @param {ClientOptions} options
 */
export function createLoadClient({ gateways, key, shapes, refusals }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 512 });
  /** @type {Asked[]} */
  let asked = [];
  /** @type {readonly Side[]} */
  let live = ['before'];
  let turn = 0;

  /** @param {Ask} ask @returns {Promise<Outcome>} */
  async function askOnce(ask) {
    const known = new Set(live);
    const sentMs = readClock();
    /** @type {Asked} */
    const record = { kind: ask.kind, dueMs: ask.dueMs ?? sentMs, sentMs, endMs: 0, status: 0, isRefused: false, fault: null };
    const base = gateways[turn++ % gateways.length] ?? '';
    const headers = { Authorization: `Bearer ${key}`, ...ask.headers };
    const answer = await send(base, ask.method, `/v1/-${ask.path}`, { headers, agent, ...(ask.body === undefined ? {} : { body: ask.body }) }).catch((/** @type {Error} */ err) => err);
    record.endMs = readClock();
    asked.push(record);
    for (const side of live) known.add(side);
    const admissible = [...known].map((side) => shapes[side]);
    const blame = (/** @type {string} */ fault) => {
      record.fault ??= `${ask.method} ${ask.path}: ${fault}`;
    };
    if (answer instanceof Error) {
      blame(`no answer: ${answer.message}`);
      return { answer: null, shapes: admissible, blame };
    }
    record.status = answer.status;
    if (ask.ok.includes(answer.status)) return { answer, shapes: admissible, blame };
    record.isRefused = known.size > 1 && answer.status <= REFUSALS_MAX_STATUS && refusals.includes(answer.json?.code);
    if (!record.isRefused) blame(`${answer.status} ${answer.text.slice(0, 300)}`);
    return { answer: null, shapes: admissible, blame };
  }

  return {
    ask: askOnce,
    /** Sets which sides of the change a client may see now. @param {readonly Side[]} sides */
    setLive(sides) {
      live = sides;
    },
    /** Picks a shape that a client may expect the schema to have. @returns {FullShape} */
    pickShape: () => shapes[live[Math.floor(Math.random() * live.length)] ?? 'before'],
    /** Returns the requests since the last call. @returns {Asked[]} */
    take() {
      const taken = asked;
      asked = [];
      return taken;
    },
    close: () => agent.destroy(),
  };
}

/** @typedef {ReturnType<typeof createLoadClient>} LoadClient */

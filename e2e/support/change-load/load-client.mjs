// @ts-check
import http from 'node:http';
import { send } from '../http.mjs';

/**
 * @typedef {import('../schemas/golden-change.mjs').FullShape} FullShape
 * @typedef {'before' | 'after'} Side
 * @typedef {{ gateways: readonly string[], key: string, shapes: { before: FullShape, after: FullShape }, refusals: readonly string[] }}
 *   ClientOptions
 * @typedef {object} Asked one request and its outcome
 * @property {string} kind
 * @property {number} dueMs the scheduled time, by the clock of `performance.timeOrigin`
 * @property {number} sentMs
 * @property {number} endMs
 * @property {number} status 0 without a response
 * @property {boolean} isRefused whether the response is an error that is correct for the schema on the other
 *   side of the change
 * @property {string | null} fault
 * @typedef {object} Outcome
 * @property {import('../http.mjs').HttpResponse | null} answer null if there was none, or the request was rejected
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
export function createLoadClient({ gateways, key, shapes, refusals: rejections }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 512 });
  /** @type {Asked[]} */
  let requests = [];
  /** @type {readonly Side[]} */
  let live = ['before'];
  let iteration = 0;

  /** @param {Ask} ask @returns {Promise<Outcome>} */
  async function sendOnce(ask) {
    const known = new Set(live);
    const sentMs = readClock();
    /** @type {Asked} */
    const record = {
      kind: ask.kind,
      dueMs: ask.dueMs ?? sentMs,
      sentMs,
      endMs: 0,
      status: 0,
      isRefused: false,
      fault: null,
    };
    const base = gateways[iteration++ % gateways.length] ?? '';
    const headers = { Authorization: `Bearer ${key}`, ...ask.headers };
    const response = await send(base, ask.method, `/v1/-${ask.path}`, {
      headers,
      agent,
      ...(ask.body === undefined ? {} : { body: ask.body }),
    }).catch((/** @type {Error} */ err) => err);
    record.endMs = readClock();
    requests.push(record);
    for (const side of live) known.add(side);
    const admissible = [...known].map((side) => shapes[side]);
    const blame = (/** @type {string} */ fault) => {
      record.fault ??= `${ask.method} ${ask.path}: ${fault}`;
    };
    if (response instanceof Error) {
      blame(`no answer: ${response.message}`);
      return { answer: null, shapes: admissible, blame };
    }
    record.status = response.status;
    if (ask.ok.includes(response.status)) return { answer: response, shapes: admissible, blame };
    record.isRefused =
      known.size > 1 && response.status <= REFUSALS_MAX_STATUS && rejections.includes(response.json?.code);
    if (!record.isRefused) blame(`${response.status} ${response.text.slice(0, 300)}`);
    return { answer: null, shapes: admissible, blame };
  }

  return {
    ask: sendOnce,
    /** Sets which sides of the change a client may see now. @param {readonly Side[]} sides */
    setLive(sides) {
      live = sides;
    },
    /** Picks a shape that a client may expect the schema to have. @returns {FullShape} */
    pickShape: () => shapes[live[Math.floor(Math.random() * live.length)] ?? 'before'],
    /** Returns the requests since the last call. @returns {Asked[]} */
    take() {
      const taken = requests;
      requests = [];
      return taken;
    },
    close: () => agent.destroy(),
  };
}

/** @typedef {ReturnType<typeof createLoadClient>} LoadClient */

// @ts-check
import { openRandom } from '@rowhouse/schema-model/testing';
import { compareResponse } from './compare-response.mjs';
import { makeRequest } from './make-request.mjs';
import { openSender, sendRequest } from './send-request.mjs';
import { listSmaller } from './shrink-request.mjs';

/** @typedef {import('./make-request.mjs').Request} Request */
/** @typedef {import('./make-tables.mjs').Table} Table */
/**
 * @typedef {{ index: number, fault: string, calls: string[], request: Request }} Finding `request` is the
 *   smallest request that fails
 */
/**
 * @typedef {{ requests: number, calls: number, rows: number, byForm: Record<string, number>, retries: number, findings: Finding[] }}
 *   Result `retries` counts requests sent again after 429, 503, 504 or a lost response
 */

const SHRINKS_MAX = 80;

/**
 * Sends `count` random requests, follows each to its last page, and compares the responses with the rows in
 * memory.
 * @param {{ base: string, key: string, tables: readonly Table[], seed: number, count: number, first?: number, concurrency?: number }} options
 * @returns {Promise<Result>}
 */
export async function runDifferential({ base, key, tables, seed, count, first = 0, concurrency = 6 }) {
  const sender = openSender(base, key);
  /** @type {Result} */
  const result = { requests: 0, calls: 0, rows: 0, byForm: {}, retries: 0, findings: [] };
  const tableOf = (/** @type {Request} */ request) =>
    /** @type {Table} */ (tables.find((table) => table.name === request.table));
  /** @param {Request} request @returns {Promise<{ fault: string | null, calls: string[] }>} */
  const check = async (request) => {
    const table = tableOf(request);
    try {
      const reply = await sendRequest(sender, request, table);
      result.calls += reply.calls.length;
      result.rows += reply.rows.length;
      return { fault: compareResponse(request, table, reply), calls: reply.calls };
    } catch (err) {
      return { fault: `no answer that can be read: ${/** @type {Error} */ (err).stack}`, calls: [] };
    }
  };
  let next = first;
  const callback = async () => {
    while (next < first + count) {
      const index = next++;
      const request = makeRequest(openRandom(seed, index), tables);
      result.requests += 1;
      result.byForm[nameForm(request)] = (result.byForm[nameForm(request)] ?? 0) + 1;
      const { fault, calls } = await check(request);
      if (fault !== null)
        result.findings.push({ index, ...(await shrink({ fault, calls, request }, check)) });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, callback));
  result.retries = sender.counts.retries;
  result.findings.sort((a, b) => a.index - b.index);
  return result;
}

/** @param {Request} request */
function nameForm(request) {
  return request.aggregate !== null ? 'groups' : request.distinct !== null ? 'distinct' : request.form;
}

/**
 * @param {Omit<Finding, 'index'>} failed
 * @param {(request: Request) => Promise<{ fault: string | null, calls: string[] }>} check
 */
async function shrink(failed, check) {
  let smallest = failed;
  let remaining = SHRINKS_MAX;
  for (let isSmaller = true; isSmaller && remaining > 0;) {
    isSmaller = false;
    for (const request of listSmaller(smallest.request)) {
      if ((remaining -= 1) < 0) break;
      const { fault, calls } = await check(request);
      if (fault === null) continue;
      smallest = { fault, calls, request };
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

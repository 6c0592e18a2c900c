// @ts-check
import { openRandom } from '@rowhouse/schema-model/testing';
import { send } from '../support/http.mjs';
import { checkResponse } from './check-response.mjs';
import { makeRequest } from './make-request.mjs';

/**
 * @typedef {object} FuzzTenant
 * @property {import('./make-request.mjs').FuzzContext} context
 * @property {string} forbidden a text that no response to this tenant may contain
 * @typedef {object} FuzzFinding
 * @property {number} index
 * @property {string} request
 * @property {string} answer
 * @property {string[]} faults
 * @typedef {object} FuzzResult
 * @property {number} requests
 * @property {Record<string, number>} byStatus
 * @property {Record<string, number>} byCode
 * @property {FuzzFinding[]} findings
 */

/**
 * Sends `count` requests, a few at a time, alternating between the tenants and the addresses.
 * @param {object} options
 * @param {readonly string[]} options.bases
 * @param {readonly FuzzTenant[]} options.tenants
 * @param {Readonly<Record<string, { status: number }>>} options.codes
 * @param {number} options.seed
 * @param {number} options.count
 * @param {number} [options.first] the first index, to send one request again
 * @param {number} [options.concurrency]
 * @returns {Promise<FuzzResult>}
 */
export async function runFuzz({ bases, tenants, codes, seed, count, first = 0, concurrency: atOnce = 8 }) {
  /** @type {FuzzResult} */
  const result = { requests: 0, byStatus: {}, byCode: {}, findings: [] };
  let nextIndex = first;
  const callback = async () => {
    while (nextIndex < first + count) {
      const index = nextIndex++;
      await sendOne(index);
    }
  };
  /** @param {number} index */
  const sendOne = async (index) => {
    const tenant = tenants[index % tenants.length];
    const base = bases[Math.floor(index / tenants.length) % bases.length];
    if (tenant === undefined || base === undefined) throw new Error('a run needs tenants and addresses');
    const request = makeRequest(openRandom(seed, index), tenant.context);
    const message = `${request.method} ${request.path.slice(0, 300)} ${JSON.stringify(hideKey(request.headers, tenant.context.key))} ${(request.body ?? '').slice(0, 500)}`;
    result.requests += 1;
    try {
      const response = await send(base, request.method, request.path, {
        headers: request.headers,
        body: request.body,
      });
      count1(result.byStatus, String(response.status));
      if (typeof response.json?.code === 'string' && response.status >= 400)
        count1(result.byCode, response.json.code);
      const faults = checkResponse(request, response, { codes, forbidden: tenant.forbidden });
      if (faults.length > 0)
        result.findings.push({
          index,
          request: message,
          answer: `${response.status} ${response.text.slice(0, 500)}`,
          faults,
        });
    } catch (err) {
      result.findings.push({ index, request: message, answer: String(err), faults: ['got no answer'] });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, callback));
  result.findings.sort((a, b) => a.index - b.index);
  return result;
}

/** @param {Record<string, number>} counts @param {string} name */
function count1(counts, name) {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** @param {Record<string, string>} headers @param {string} key */
function hideKey(headers, key) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace(key, '$KEY')]),
  );
}

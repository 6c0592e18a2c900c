// @ts-check
/** Sends requests of all kinds to all tenants of a fleet. Each response must name the tenant that asked. */
import { openApi } from '../../../support/http.mjs';

/** @typedef {import('./make-fleet.mjs').Tenant} Tenant */
/** @typedef {import('../../../support/http.mjs').Api} Api */
/** @typedef {import('../../../support/http.mjs').HttpResponse} TestResponse */
/**
 * @typedef {object} Asked
 * @property {string} kind
 * @property {number} status
 * @property {string} code the code of an error
 * @property {number} ms
 * @property {string | null} fault a row that names another tenant or none, or an unexpected response
 */

/** The statuses of an overloaded server. */
const REFUSALS = new Set([429, 503]);

/**
 * The kinds of requests. Each returns the rows of its response.
 * @type {Record<string, { share: number, ask: (api: Api, tenant: Tenant, iteration: number) => Promise<{ answer: TestResponse, rows: any[] }> }>}
 */
const KINDS = {
  one: { share: 40, ask: async (api) => item(await api.get('/own/1')) },
  list: { share: 15, ask: async (api) => many(await api.get('/own?limit=5&sort=-id')) },
  include: { share: 10, ask: async (api) => withParts(await api.get('/own?include=parts&limit=2&sort=id')) },
  create: {
    share: 10,
    ask: async (api, { schema }, iteration) =>
      item(await api.post('/own', { tenant: schema, note: `turn ${iteration}` })),
  },
  update: {
    share: 10,
    ask: async (api, _tenant, iteration) =>
      item(await api.call('PATCH', '/own/2', { body: { note: `turn ${iteration}` } })),
  },
  batch: {
    share: 5,
    ask: async (api, { schema }) =>
      batch(
        await api.post('/_batch', {
          operations: [
            { method: 'GET', path: '/own/1' },
            { method: 'POST', path: '/own', body: { tenant: schema, note: 'batch' } },
          ],
        }),
      ),
  },
  query: {
    share: 10,
    ask: async (api) =>
      many(
        await api.query('SELECT o.tenant FROM own o JOIN parts p ON p.own_id = o.id ORDER BY o.id LIMIT 2', {
          mode: 'sql',
        }),
      ),
  },
};
const DRAWN = Object.entries(KINDS).flatMap(([kind, { share }]) => Array.from({ length: share }, () => kind));

/** @param {TestResponse} response */
const item = (response) => ({ answer: response, rows: [response.json] });
/** @param {TestResponse} response */
const many = (response) => ({ answer: response, rows: Array.isArray(response.json) ? response.json : [] });
/** @param {TestResponse} response */
const withParts = (response) => ({
  answer: response,
  rows: Array.isArray(response.json) ? response.json.flatMap((row) => [row, ...(row.parts ?? [{}])]) : [],
});
/** @param {TestResponse} response */
const batch = (response) => ({
  answer: response,
  rows: (Array.isArray(response.json) ? response.json : []).map((/** @type {any} */ result) => result.body),
});

/**
 * Sends one request. Its kind is chosen by `iteration` unless `expected` names it.
 * @param {string} base
 * @param {Tenant} tenant
 * @param {number} iteration
 * @param {string} [expected]
 * @returns {Promise<Asked>}
 */
export async function queryFleet(base, tenant, iteration, expected) {
  const kind = expected ?? DRAWN[(iteration * 37) % DRAWN.length] ?? 'one';
  const startMs = performance.now();
  const { answer: response, rows } = await /** @type {(typeof KINDS)[string]} */ (KINDS[kind]).ask(
    openApi(base, tenant.key),
    tenant,
    iteration,
  );
  return {
    kind,
    status: response.status,
    code: response.status < 300 ? '' : String(response.json?.code),
    ms: performance.now() - startMs,
    fault: REFUSALS.has(response.status) ? null : findFault(tenant, kind, response, rows),
  };
}

/** @param {Tenant} tenant @param {string} kind @param {TestResponse} answer @param {any[]} rows */
function findFault({ schema }, kind, { status, text }, rows) {
  if (status >= 300) return `${kind}: ${status} ${text.slice(0, 200)}`;
  if (rows.length === 0) return `${kind}: no row in ${text.slice(0, 200)}`;
  const wrong = rows.find((row) => row?.tenant !== schema);
  return wrong === undefined ? null : `${kind}: ${JSON.stringify(wrong).slice(0, 200)} for ${schema}`;
}

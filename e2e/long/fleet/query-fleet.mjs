// @ts-check
/** Sends requests of all kinds to all tenants of a fleet. Each response must name the tenant that asked. */
import { openApi } from '../../support/http.mjs';

/** @typedef {import('./make-fleet.mjs').Tenant} Tenant */
/** @typedef {import('../../support/http.mjs').Api} Api */
/** @typedef {import('../../support/http.mjs').Answer} Answer */
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
 * @type {Record<string, { share: number, ask: (api: Api, tenant: Tenant, turn: number) => Promise<{ answer: Answer, rows: any[] }> }>}
 */
const KINDS = {
  one: { share: 40, ask: async (api) => one(await api.get('/own/1')) },
  list: { share: 15, ask: async (api) => many(await api.get('/own?limit=5&sort=-id')) },
  include: { share: 10, ask: async (api) => withParts(await api.get('/own?include=parts&limit=2&sort=id')) },
  create: { share: 10, ask: async (api, { schema }, turn) => one(await api.post('/own', { tenant: schema, note: `turn ${turn}` })) },
  update: { share: 10, ask: async (api, _tenant, turn) => one(await api.call('PATCH', '/own/2', { body: { note: `turn ${turn}` } })) },
  batch: { share: 5, ask: async (api, { schema }) => batch(await api.post('/_batch', { operations: [{ method: 'GET', path: '/own/1' }, { method: 'POST', path: '/own', body: { tenant: schema, note: 'batch' } }] })) },
  query: { share: 10, ask: async (api) => many(await api.query('SELECT o.tenant FROM own o JOIN parts p ON p.own_id = o.id ORDER BY o.id LIMIT 2', { mode: 'sql' })) },
};
const DRAWN = Object.entries(KINDS).flatMap(([kind, { share }]) => Array.from({ length: share }, () => kind));

/** @param {Answer} answer */
const one = (answer) => ({ answer, rows: [answer.json] });
/** @param {Answer} answer */
const many = (answer) => ({ answer, rows: Array.isArray(answer.json) ? answer.json : [] });
/** @param {Answer} answer */
const withParts = (answer) => ({ answer, rows: Array.isArray(answer.json) ? answer.json.flatMap((row) => [row, ...(row.parts ?? [{}])]) : [] });
/** @param {Answer} answer */
const batch = (answer) => ({ answer, rows: (Array.isArray(answer.json) ? answer.json : []).map((/** @type {any} */ result) => result.body) });

/**
 * Sends a request whose kind depends on the turn.
 * @param {string} base
 * @param {Tenant} tenant
 * @param {number} turn
 * @param {string} [wanted]
 * @returns {Promise<Asked>}
 */
export async function askFleet(base, tenant, turn, wanted) {
  const kind = wanted ?? DRAWN[(turn * 37) % DRAWN.length] ?? 'one';
  const startMs = performance.now();
  const { answer, rows } = await /** @type {(typeof KINDS)[string]} */ (KINDS[kind]).ask(openApi(base, tenant.key), tenant, turn);
  return { kind, status: answer.status, code: answer.status < 300 ? '' : String(answer.json?.code), ms: performance.now() - startMs, fault: REFUSALS.has(answer.status) ? null : findFault(tenant, kind, answer, rows) };
}

/** @param {Tenant} tenant @param {string} kind @param {Answer} answer @param {any[]} rows */
function findFault({ schema }, kind, { status, text }, rows) {
  if (status >= 300) return `${kind}: ${status} ${text.slice(0, 200)}`;
  if (rows.length === 0) return `${kind}: no row in ${text.slice(0, 200)}`;
  const wrong = rows.find((row) => row?.tenant !== schema);
  return wrong === undefined ? null : `${kind}: ${JSON.stringify(wrong).slice(0, 200)} for ${schema}`;
}

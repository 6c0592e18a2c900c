// @ts-check
/**
 * The rules for every response, whatever was requested.
 * @typedef {object} AnswerRules
 * @property {Readonly<Record<string, { status: number }>>} codes the error table
 * @property {string} forbidden the mark in every value of the other tenant
 */

const SUCCESSES = [200, 201, 204, 304];
/** Texts that only come from a database, a driver or a stack trace. */
const INTERNALS =
  /You have an error in your SQL syntax|ER_[A-Z_]{4,}|errno|sqlMessage|node_modules|\bat [\w.<>]+ \(|\.(?:ts|js|mjs):\d+|Duplicate entry '|Unknown column '|127\.0\.0\.1:\d+|\brh_(?:gateway|control|worker)\b/;

/**
 * @param {import('./make-request.mjs').FuzzRequest} request
 * @param {import('../support/http.mjs').HttpResponse} response
 * @param {AnswerRules} rules
 * @returns {string[]} the faults, as sentences; empty when there are none
 */
export function checkResponse(request, response, { codes, forbidden }) {
  const faults = [];
  if (response.text.includes(forbidden) || JSON.stringify(response.headers).includes(forbidden))
    faults.push('holds data of another tenant');
  if (response.headers['x-request-id'] === undefined) faults.push('has no X-Request-Id');
  if (SUCCESSES.includes(response.status)) return faults;
  if (response.status === 500) faults.push('is a 500');
  if (response.status < 400) faults.push(`has the unforeseen status ${response.status}`);
  const allowed = new Set(Object.values(codes).map((entry) => entry.status));
  if (!allowed.has(response.status)) faults.push(`has a status outside the table: ${response.status}`);
  if (request.method === 'HEAD') return faults;
  const code = response.json?.code;
  if (typeof code !== 'string' || codes[code] === undefined)
    return [...faults, `has a code outside the table: ${String(code)}`];
  if (codes[code]?.status !== response.status)
    faults.push(`says ${code}, which is ${String(codes[code]?.status)}, with status ${response.status}`);
  if (typeof response.json.request_id !== 'string') faults.push('has no request_id');
  const isProblem = String(response.headers['content-type']).startsWith('application/problem+json');
  if (!isProblem && (response.status === 422) !== Array.isArray(response.json.detail))
    faults.push('has a detail of the wrong form');
  // A message may repeat what the caller sent. The rest of it must not reveal internals.
  const message = JSON.stringify([response.json.detail ?? response.json.title, response.json.hint ?? '']);
  const inside = INTERNALS.exec(message);
  if (inside !== null && !isEcho(request, inside[0])) faults.push(`speaks of the inside: ${inside[0]}`);
  return faults;
}

/** @param {import('./make-request.mjs').FuzzRequest} request @param {string} text */
function isEcho(request, text) {
  return `${request.path}${request.body ?? ''}${JSON.stringify(request.headers)}`.includes(text);
}

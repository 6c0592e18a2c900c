// @ts-check
/**
 * The rules for every response, whatever was requested.
 * @typedef {object} AnswerRules
 * @property {Readonly<Record<string, { status: number }>>} codes the error table
 * @property {string} forbidden the mark in every value of the other tenant
 */

const SUCCESSES = [200, 201, 204, 304];
/** Texts that only come from a database, a driver or a stack trace. */
const INTERNALS = /You have an error in your SQL syntax|ER_[A-Z_]{4,}|errno|sqlMessage|node_modules|\bat [\w.<>]+ \(|\.(?:ts|js|mjs):\d+|Duplicate entry '|Unknown column '|127\.0\.0\.1:\d+|\brh_(?:gateway|control|worker)\b/;

/**
 * @param {import('./make-request.mjs').FuzzRequest} request
 * @param {import('../support/http.mjs').Answer} answer
 * @param {AnswerRules} rules
 * @returns {string[]} the faults, as sentences; empty when there are none
 */
export function checkAnswer(request, answer, { codes, forbidden }) {
  const faults = [];
  if (answer.text.includes(forbidden) || JSON.stringify(answer.headers).includes(forbidden)) faults.push('holds data of another tenant');
  if (answer.headers['x-request-id'] === undefined) faults.push('has no X-Request-Id');
  if (SUCCESSES.includes(answer.status)) return faults;
  if (answer.status === 500) faults.push('is a 500');
  if (answer.status < 400) faults.push(`has the unforeseen status ${answer.status}`);
  const allowed = new Set(Object.values(codes).map((entry) => entry.status));
  if (!allowed.has(answer.status)) faults.push(`has a status outside the table: ${answer.status}`);
  if (request.method === 'HEAD') return faults;
  const code = answer.json?.code;
  if (typeof code !== 'string' || codes[code] === undefined) return [...faults, `has a code outside the table: ${String(code)}`];
  if (codes[code]?.status !== answer.status) faults.push(`says ${code}, which is ${String(codes[code]?.status)}, with status ${answer.status}`);
  if (typeof answer.json.request_id !== 'string') faults.push('has no request_id');
  const isProblem = String(answer.headers['content-type']).startsWith('application/problem+json');
  if (!isProblem && (answer.status === 422) !== Array.isArray(answer.json.detail)) faults.push('has a detail of the wrong form');
  // A message may repeat what the caller sent. The rest of it must not reveal internals.
  const said = JSON.stringify([answer.json.detail ?? answer.json.title, answer.json.hint ?? '']);
  const inside = INTERNALS.exec(said);
  if (inside !== null && !isEcho(request, inside[0])) faults.push(`speaks of the inside: ${inside[0]}`);
  return faults;
}

/** @param {import('./make-request.mjs').FuzzRequest} request @param {string} text */
function isEcho(request, text) {
  return `${request.path}${request.body ?? ''}${JSON.stringify(request.headers)}`.includes(text);
}

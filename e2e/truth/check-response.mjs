// @ts-check
/** @typedef {import('../support/http.mjs').Answer} Answer */
/** @typedef {import('./open-document.mjs').Operation} Operation */

/** The statuses that the introduction of the document describes for every call. */
const ANYWHERE = new Set([405, 406, 413, 414, 415, 431, 500, 504, 507]);
/** Headers of HTTP, CORS and caches, and those that only the introduction describes. */
const TOLD_ONCE = /^(content-|date$|connection$|keep-alive$|transfer-encoding$|vary$|cache-control$|access-control-|x-content-type-options$|server-timing$|x-request-id$|ratelimit-|retry-after$|www-authenticate$|allow$)/;

/**
 * Checks that the document describes a response, and returns the faults as sentences.
 * @param {import('./open-document.mjs').OpenDocument} opened
 * @param {Operation} operation
 * @param {Answer} answer
 * @param {{ isOther?: boolean }} [options] `isOther` means that a parameter changes the form of the response,
 *   as its description says
 * @returns {string[]}
 */
export function checkAnswer(opened, operation, answer, { isOther = false } = {}) {
  const response = operation.responses[String(answer.status)];
  if (response === undefined) return checkError(opened, operation, answer);
  const faults = checkHeaders(operation, response, answer);
  const schema = response['content']?.['application/json']?.schema;
  if (schema === undefined) return answer.text === '' ? faults : [...faults, `a body where none is told: ${answer.text.slice(0, 200)}`];
  const fault = isOther ? '' : opened.findFault(schema, answer.json);
  return fault === '' ? faults : [...faults, `the body is not of its schema: ${fault} ${answer.text.slice(0, 500)}`];
}

/** @param {import('./open-document.mjs').OpenDocument} opened @param {Operation} operation @param {Answer} answer */
function checkError({ document, findFault }, operation, answer) {
  const isTold = ANYWHERE.has(answer.status) || operation.text.includes(String(answer.status));
  const faults = isTold ? [] : [`${answer.status} is not told of`];
  const fault = findFault(document['components'].schemas.Error, answer.json);
  return fault === '' ? faults : [...faults, `the error is not of its schema: ${fault}`];
}

/** @param {Operation} operation @param {Record<string, any>} response @param {Answer} answer */
function checkHeaders(operation, response, answer) {
  const declared = Object.keys(response['headers'] ?? {}).map((name) => name.toLowerCase());
  return Object.keys(answer.headers)
    .filter((name) => !TOLD_ONCE.test(name) && !(name === 'etag' && answer.status === 304))
    .filter((name) => !declared.includes(name) && !operation.text.toLowerCase().includes(name))
    .map((name) => `the header ${name} is not told of`);
}

// @ts-check
/** @typedef {import('../support/http.mjs').HttpResponse} TestResponse */
/** @typedef {import('./open-document.mjs').Operation} Operation */

/** The statuses that the introduction of the document describes for every call. */
const ANYWHERE = new Set([405, 406, 413, 414, 415, 431, 500, 504, 507]);
/**
 * Headers that an operation need not document: those of HTTP, CORS and caches, and those that the
 * introduction describes.
 */
const SENT_ONCE =
  /^(content-|date$|connection$|keep-alive$|transfer-encoding$|vary$|cache-control$|access-control-|x-content-type-options$|server-timing$|x-request-id$|ratelimit-|retry-after$|www-authenticate$|allow$)/;

/**
 * Checks that the document describes a response, and returns the faults as sentences.
 * @param {import('./open-document.mjs').OpenDocument} opened
 * @param {Operation} operation
 * @param {TestResponse} httpResponse
 * @param {{ isOther?: boolean }} [options] `isOther` means that a parameter changes the form of the response,
 *   as its description says
 * @returns {string[]}
 */
export function checkResponse(opened, operation, httpResponse, { isOther = false } = {}) {
  const response = operation.responses[String(httpResponse.status)];
  if (response === undefined) return checkError(opened, operation, httpResponse);
  const faults = checkHeaders(operation, response, httpResponse);
  const schema = response['content']?.['application/json']?.schema;
  if (schema === undefined)
    return httpResponse.text === ''
      ? faults
      : [...faults, `a body that is not documented: ${httpResponse.text.slice(0, 200)}`];
  const fault = isOther ? '' : opened.findFault(schema, httpResponse.json);
  return fault === ''
    ? faults
    : [...faults, `the body does not match its schema: ${fault} ${httpResponse.text.slice(0, 500)}`];
}

/**
 * @param {import('./open-document.mjs').OpenDocument} opened
 * @param {Operation} operation
 * @param {TestResponse} response
 */
function checkError({ document, findFault }, operation, response) {
  const isDocumented = ANYWHERE.has(response.status) || operation.text.includes(String(response.status));
  const faults = isDocumented ? [] : [`${response.status} is not documented`];
  const fault = findFault(document['components'].schemas.Error, response.json);
  return fault === '' ? faults : [...faults, `the error does not match its schema: ${fault}`];
}

/** @param {Operation} operation @param {Record<string, any>} response @param {TestResponse} httpResponse */
function checkHeaders(operation, response, httpResponse) {
  const declared = Object.keys(response['headers'] ?? {}).map((name) => name.toLowerCase());
  return Object.keys(httpResponse.headers)
    .filter((name) => !SENT_ONCE.test(name) && !(name === 'etag' && httpResponse.status === 304))
    .filter((name) => !declared.includes(name) && !operation.text.toLowerCase().includes(name))
    .map((name) => `the header ${name} is not documented`);
}

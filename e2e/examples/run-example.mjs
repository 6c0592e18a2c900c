// @ts-check
import { send } from '../support/http.mjs';
import { compareNodes, matchText, parsePattern } from './match-answer.mjs';
import { encodeTarget, parseResponse, parseRequest } from './parse-example.mjs';

/** @typedef {import('../support/http.mjs').HttpResponse} TestResponse */

/**
 * Sends the request that the page shows, and lists as sentences where the response differs from the page.
 * @param {string} base the address of a gateway
 * @param {import('./read-examples.mjs').Example} example
 * @param {Map<string, string>} cache the values of `$NAME`; the response may add to them
 * @param {Set<string>} [seen] the names of response headers; new ones are added
 * @returns {Promise<string[]>}
 */
export async function runExample(base, example, cache, seen = new Set()) {
  const request = parseRequest(fill(example.request, cache));
  /** @type {Record<string, string>} */
  const headers = { Authorization: `Bearer ${cache.get('KEY') ?? ''}` };
  for (const [name, value] of request.headers) headers[name] = value;
  if (headers['Authorization'] === '') delete headers['Authorization'];
  const path = request.target.startsWith('$BASE')
    ? encodeTarget(request.target)
    : `/v1/-${encodeTarget(request.target)}`;
  const response = await send(base, request.method, path, {
    headers,
    ...(request.body === null ? {} : { body: request.body }),
  });
  for (const name of Object.keys(response.headers)) seen.add(name);
  const faults = compareResponse(parseResponse(example.answer), response, cache);
  return faults.length === 0
    ? []
    : [...faults, `answered ${response.status} ${response.text.slice(0, 2_000)}`];
}

/**
 * Replaces `$NAME` by its value and `(x 1000 times)` by that many characters.
 * @param {string} text
 * @param {Map<string, string>} cache
 */
function fill(text, cache) {
  return text
    .replace(/\$([A-Z_]+)/g, (whole, name) => (name === 'BASE' ? whole : (cache.get(name) ?? whole)))
    .replace(/\((.) (\d[\d,]*) times\)/g, (_, what, count) => what.repeat(Number(count.replaceAll(',', ''))));
}

/**
 * @param {import('./parse-example.mjs').ExampleResponse} expected
 * @param {TestResponse} response
 * @param {Map<string, string>} cache
 * @returns {string[]}
 */
export function compareResponse(expected, response, cache) {
  const faults =
    expected.status === response.status
      ? []
      : [`the status is ${response.status}, the page says ${expected.status}`];
  for (const [name, value] of expected.headers) {
    const found = response.headers[name.toLowerCase()];
    if (found === undefined || !matchText(value, String(found), cache))
      faults.push(`${name} is ${String(found)}, the page says ${value}`);
  }
  if (expected.body === null) return faults;
  const isJson = /[/+]json\b/.test(String(response.headers['content-type']));
  return [
    ...faults,
    ...(isJson
      ? compareJson(expected.body, response.text, cache)
      : compareText(expected.body, response.text, cache)),
  ];
}

/** @param {string} expected @param {string} found @param {Map<string, string>} cache */
function compareJson(expected, found, cache) {
  return compareNodes(parsePattern(expected), parsePattern(found), cache);
}

/**
 * Compares NDJSON, CSV or SQL line by line.
 * @param {string} expected
 * @param {string} found
 * @param {Map<string, string>} cache
 */
function compareText(expected, found, cache) {
  return matchText(expected, found.replaceAll('\r\n', '\n').trimEnd(), cache)
    ? []
    : [`the text is another than the page says: ${found.slice(0, 500)}`];
}

// @ts-check
import { send } from '../support/http.mjs';
import { compareNodes, matchText, parsePattern } from './match-answer.mjs';
import { encodeTarget, parseAnswer, parseRequest } from './parse-example.mjs';

/** @typedef {import('../support/http.mjs').Answer} Answer */

/**
 * Sends the request that the page shows, and lists as sentences where the response differs from the page.
 * @param {string} base the address of a gateway
 * @param {import('./read-examples.mjs').Example} example
 * @param {Map<string, string>} kept the values of `$NAME`; the response may add to them
 * @param {Set<string>} [seen] the names of response headers; new ones are added
 * @returns {Promise<string[]>}
 */
export async function runExample(base, example, kept, seen = new Set()) {
  const request = parseRequest(fill(example.request, kept));
  /** @type {Record<string, string>} */
  const headers = { Authorization: `Bearer ${kept.get('KEY') ?? ''}` };
  for (const [name, value] of request.headers) headers[name] = value;
  if (headers['Authorization'] === '') delete headers['Authorization'];
  const path = request.target.startsWith('$BASE') ? encodeTarget(request.target) : `/v1/-${encodeTarget(request.target)}`;
  const answer = await send(base, request.method, path, { headers, ...(request.body === null ? {} : { body: request.body }) });
  for (const name of Object.keys(answer.headers)) seen.add(name);
  const faults = compareAnswer(parseAnswer(example.answer), answer, kept);
  return faults.length === 0 ? [] : [...faults, `answered ${answer.status} ${answer.text.slice(0, 2_000)}`];
}

/**
 * Replaces `$NAME` by its value and `(x 1000 times)` by that many characters.
 * @param {string} text
 * @param {Map<string, string>} kept
 */
function fill(text, kept) {
  return text
    .replace(/\$([A-Z_]+)/g, (whole, name) => (name === 'BASE' ? whole : (kept.get(name) ?? whole)))
    .replace(/\((.) (\d[\d,]*) times\)/g, (_, what, count) => what.repeat(Number(count.replaceAll(',', ''))));
}

/**
 * @param {import('./parse-example.mjs').ExampleAnswer} said
 * @param {Answer} answer
 * @param {Map<string, string>} kept
 * @returns {string[]}
 */
export function compareAnswer(said, answer, kept) {
  const faults = said.status === answer.status ? [] : [`the status is ${answer.status}, the page says ${said.status}`];
  for (const [name, value] of said.headers) {
    const found = answer.headers[name.toLowerCase()];
    if (found === undefined || !matchText(value, String(found), kept)) faults.push(`${name} is ${String(found)}, the page says ${value}`);
  }
  if (said.body === null) return faults;
  const isJson = /[/+]json\b/.test(String(answer.headers['content-type']));
  return [...faults, ...(isJson ? compareJson(said.body, answer.text, kept) : compareText(said.body, answer.text, kept))];
}

/** @param {string} said @param {string} found @param {Map<string, string>} kept */
function compareJson(said, found, kept) {
  return compareNodes(parsePattern(said), parsePattern(found), kept);
}

/**
 * Compares NDJSON, CSV or SQL line by line.
 * @param {string} said
 * @param {string} found
 * @param {Map<string, string>} kept
 */
function compareText(said, found, kept) {
  return matchText(said, found.replaceAll('\r\n', '\n').trimEnd(), kept) ? [] : [`the text is another than the page says: ${found.slice(0, 500)}`];
}

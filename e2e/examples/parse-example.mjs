// @ts-check
/**
 * A request and a response in the notation of docs/api/README.md, where two spaces separate the parts.
 * @typedef {object} ExampleRequest
 * @property {string} method
 * @property {string} target as written, before it is percent-encoded, unless it begins with `$BASE`
 * @property {[string, string][]} headers
 * @property {string | null} body
 * @typedef {object} ExampleResponse
 * @property {number} status
 * @property {[string, string][]} headers
 * @property {string | null} body a pattern; null for any body
 */

const METHOD = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE) (\/|\$BASE)/;
const HEADER = /^([A-Za-z][A-Za-z-]*): ?(.*)$/;

/**
 * Returns whether a text is a request that can be sent, without a `{table}` in its path.
 * @param {string} text
 */
export function isRequest(text) {
  return METHOD.test(text) && !/\{[a-z_]+\}/.test(/^\S+ ([^?\s]*)/.exec(text)?.[1] ?? '');
}

/** @param {string} text @returns {ExampleRequest} */
export function parseRequest(text) {
  const { head, headers, body } = splitParts(text);
  const method = head.slice(0, head.indexOf(' '));
  return { method, target: head.slice(method.length + 1), headers, body };
}

/** @param {string} text @returns {ExampleResponse} */
export function parseResponse(text) {
  const { head, headers, body } = splitParts(text);
  if (!/^[1-5]\d\d$/.test(head)) throw new Error(`an answer begins with a status: ${text}`);
  return { status: Number(head), headers, body };
}

/** @param {string} text */
function splitParts(text) {
  const [first = '', ...rest] = text.split(/ {2,}|\n/);
  /** @type {[string, string][]} */
  const headers = [];
  let index = first.length;
  for (const part of rest) {
    const found = HEADER.exec(part);
    if (found === null) break;
    headers.push([found[1] ?? '', found[2] ?? '']);
    index = text.indexOf(part, index) + part.length;
  }
  const body = text.slice(index).replace(/^[ \n]+/, '');
  return { head: first.trim(), headers, body: body === '' ? null : body };
}

/**
 * Returns a target as it is sent over the wire.
 * @param {string} target
 */
export function encodeTarget(target) {
  if (target.startsWith('$BASE')) return target.slice('$BASE'.length);
  const mark = target.indexOf('?');
  const path = encodeURI(mark < 0 ? target : target.slice(0, mark));
  if (mark < 0) return path;
  const pairs = target
    .slice(mark + 1)
    .split('&')
    .map((pair) => {
      const cutIndex = pair.search(/=(?!=)/);
      return cutIndex < 0
        ? encodeURIComponent(pair)
        : `${encodeURIComponent(pair.slice(0, cutIndex))}=${encodeURIComponent(pair.slice(cutIndex + 1))}`;
    });
  return `${path}?${pairs.join('&')}`;
}

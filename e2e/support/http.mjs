// @ts-check
/**
 * A small HTTP client for black-box tests. It sends the path unchanged, without normalizing `..`, `%zz` or
 * commas. It follows no redirects and keeps the response text, so that tests can compare exact digits.
 */
import http from 'node:http';

/**
 * @typedef {object} HttpResponse
 * @property {number} status
 * @property {http.IncomingHttpHeaders} headers
 * @property {string} text
 * @property {number} [headMs] the time until its headers arrived
 * @property {any} json the parsed body, or undefined if it is empty or not JSON. Untyped, because tests
 *   assert its shape.
 * @typedef {object} CallOptions
 * @property {Record<string, string | string[]>} [headers]
 * @property {unknown} [body] sent as JSON unless it is a string or a Buffer
 * @property {http.Agent} [agent]
 * @property {number} [timeoutMs]
 */

const sharedAgent = new http.Agent({ keepAlive: true, maxSockets: 64 });

/**
 * Sends one request and returns the response. Rejects only without a response.
 * @param {string} base `http://host:port`
 * @param {string} method
 * @param {string} path raw, with a leading `/`
 * @param {CallOptions} [options]
 * @returns {Promise<HttpResponse>}
 */
export function send(base, method, path, options = {}) {
  const { hostname, port } = new URL(base);
  const payload = toPayload(options.body);
  /** @type {Record<string, string | string[] | number>} */
  const headers = { ...options.headers };
  if (payload !== undefined) {
    if (findHeader(headers, 'content-type') === undefined) headers['Content-Type'] = 'application/json';
    headers['Content-Length'] = payload.length;
  }
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const req = http.request(
      {
        hostname,
        port,
        method,
        path,
        headers,
        agent: options.agent ?? sharedAgent,
        timeout: options.timeoutMs ?? 30_000,
      },
      (res) => {
        /** @type {Buffer[]} */
        const chunks = [];
        const headMs = performance.now() - startedMs;
        res.on('data', (chunk) => chunks.push(chunk));
        res.on('error', reject);
        res.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: res.statusCode ?? 0, headers: res.headers, text, headMs, json: parseJson(text) });
        });
      },
    );
    req.on('timeout', () => req.destroy(new Error(`no answer to ${method} ${path} in time`)));
    req.on('error', reject);
    req.end(payload);
  });
}

/**
 * Returns a client of the data API for one base URL and key.
 * @param {string} base
 * @param {string | null} key
 */
export function openApi(base, key) {
  /** @type {Record<string, string>} */
  const auth = key === null ? {} : { Authorization: `Bearer ${key}` };
  /**
   * @param {string} method
   * @param {string} path after `/v1/-`
   * @param {CallOptions} [options]
   */
  const call = (method, path, options = {}) =>
    send(base, method, `/v1/-${path}`, { ...options, headers: { ...auth, ...options.headers } });
  return {
    base,
    key,
    call,
    /** @param {string} path @param {Record<string, string>} [headers] */
    get: (path, headers) => call('GET', path, headers === undefined ? {} : { headers }),
    /** @param {string} path @param {unknown} body @param {Record<string, string>} [headers] */
    post: (path, body, headers) => call('POST', path, headers === undefined ? { body } : { body, headers }),
    /** @param {string} path @param {unknown} body */
    put: (path, body) => call('PUT', path, { body }),
    /** @param {string} path */
    delete: (path) => call('DELETE', path),
    /** @param {string} query @param {Record<string, unknown>} [members] */
    query: (query, members = {}) => call('POST', '/query', { body: { query, ...members } }),
  };
}

/** @typedef {ReturnType<typeof openApi>} Api */

/** Closes idle sockets, so that a script can exit. */
export function closeHttp() {
  sharedAgent.destroy();
}

/** @param {unknown} body @returns {Buffer | undefined} */
function toPayload(body) {
  if (body === undefined) return undefined;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** @param {Record<string, unknown>} headers @param {string} name */
function findHeader(headers, name) {
  return Object.keys(headers).find((key) => key.toLowerCase() === name);
}

/** @param {string} text */
function parseJson(text) {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

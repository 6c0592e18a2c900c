// @ts-check
/**
 * Runs clients that send the next request as soon as they are answered. It is a separate process with its own
 * connections, so that neither its work nor its sockets affect a measurement elsewhere. Its parent sends the
 * requests, and gets the results when it tells the process to stop.
 */
import http from 'node:http';
import { overloads } from './overloads.mjs';

process.on('disconnect', () => process.exit(0));
process.once('message', (message) => void run(/** @type {NoiseOrder} */ (message)));

/** @typedef {{ base: string, key: string, name: string, clients: number, refusals: string[] }} NoiseOrder */
/** @typedef {{ answers: Record<string, number>, strange: string[] }} NoiseResult */

/** @param {NoiseOrder} order */
async function run({ base, key, name, clients, refusals: rejections }) {
  const makeRequest = overloads[name];
  if (makeRequest === undefined) throw new Error(`no overload ${name}`);
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
  const allowed = new Set(rejections);
  /** @type {NoiseResult} */
  const result = { answers: {}, strange: [] };
  let isFinished = false;
  process.on('message', () => (isFinished = true));
  let iteration = 0;
  const loops = Array.from({ length: clients }, async () => {
    while (!isFinished) {
      const { status, code, text } = await send(agent, base, key, makeRequest((iteration += 1)));
      const what = status < 300 ? String(status) : `${status} ${code}`;
      result.answers[what] = (result.answers[what] ?? 0) + 1;
      if (status >= 300 && !allowed.has(code) && result.strange.length < 20)
        result.strange.push(`${what} ${text.slice(0, 100)}`);
    }
  });
  await Promise.all(loops);
  process.send?.(result);
}

/**
 * Sends a request. The body of a response is parsed only for an error.
 * @param {http.Agent} agent
 * @param {string} base
 * @param {string} key
 * @param {import('./overloads.mjs').Ask} ask
 * @returns {Promise<{ status: number, code: string, text: string }>}
 */
function send(agent, base, key, { method = 'GET', path, body, headers = {} }) {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = http.request(
      `${base}/v1/-${path}`,
      {
        method,
        agent,
        headers: {
          Authorization: `Bearer ${key}`,
          ...(payload === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) }),
          ...headers,
        },
      },
      (response) => {
        const status = response.statusCode ?? 0;
        let text = '';
        if (status < 300) response.resume();
        else response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
        response
          .on('error', reject)
          .on('end', () => resolve({ status, code: /"code":"([^"]+)"/.exec(text)?.[1] ?? '', text }));
      },
    );
    request.on('error', reject).end(payload);
  });
}

// @ts-check
/**
 * The load driver, which runs as a separate process. It keeps one request in flight on each of `connections`
 * keep-alive sockets. Its argument is a job as JSON, and it prints its result as one line of JSON.
 */
import { connect } from 'node:net';
import { pathToFileURL } from 'node:url';
import { createResponseReader } from './answer-reader.mjs';
import { makeRandom } from './make-random.mjs';

/**
 * @typedef {object} DriveJob
 * @property {string} base
 * @property {string | null} key
 * @property {string} caseFile the absolute path of the module
 * @property {string} caseName the name of its export
 * @property {import('./bench-case.mjs').DataSize} size
 * @property {string} [peer] the module in `peers/` that defines the request format, and its export
 * @property {number} connections
 * @property {number} durationMs
 * @property {number} seed
 * @typedef {object} DriveResult
 * @property {number} requests
 * @property {number} failures responses without a 2xx status, and missing responses
 * @property {number} elapsedMs
 * @property {number[]} latenciesUs a sample of at most 20,000
 */

const job = /** @type {DriveJob} */ (JSON.parse(process.argv[2] ?? '{}'));
const benchCase = /** @type {import('./bench-case.mjs').BenchCase} */ (
  (await import(pathToFileURL(job.caseFile).href))[job.caseName]
);
const peer =
  job.peer === undefined
    ? null
    : /** @type {import('../peers/peer.mjs').Peer} */ ((await import(`../peers/${job.peer}.mjs`))[job.peer]);
const base = new URL(job.base);
const random = makeRandom(job.seed);
const auth = job.key === null ? '' : `Authorization: Bearer ${job.key}\r\n`;
const gathered = await gather();
const latenciesUs = new Float64Array(20_000);
let requests = 0;
let failures = 0;

const startedNs = process.hrtime.bigint();
const endNs = startedNs + BigInt(job.durationMs) * 1_000_000n;
await Promise.all(
  Array.from(
    { length: Math.min(job.connections, benchCase.connectionsMax ?? job.connections) },
    driveConnection,
  ),
);
const elapsedMs = Number(process.hrtime.bigint() - startedNs) / 1e6;
/** @type {DriveResult} */
const result = {
  requests,
  failures,
  elapsedMs,
  latenciesUs: [...latenciesUs.subarray(0, Math.min(requests, latenciesUs.length))],
};
console.log(JSON.stringify(result));

async function gather() {
  /** @type {Record<string, string>} */
  const headers = job.key === null ? {} : { Authorization: `Bearer ${job.key}` };
  return (
    (await benchCase.gather?.((path) => fetch(job.base.replace(/\/$/, '') + path, { headers }), job.size)) ??
    []
  );
}

/** @param {string | null} lastBody */
function formatRequest(lastBody) {
  const created = benchCase.makeRequest({ random, size: job.size, gathered, lastBody });
  const { method, path, body, headers = {} } = peer === null ? created : peer.toRequest(created);
  const payload = body === undefined ? '' : JSON.stringify(body);
  const content =
    body === undefined
      ? ''
      : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(payload)}\r\n`;
  const others = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return `${method} ${base.pathname.replace(/\/$/, '')}${path} HTTP/1.1\r\nHost: ${base.host}\r\n${auth}${others}${content}\r\n${payload}`;
}

/** @returns {Promise<void>} resolves when the time is over and the last response has arrived */
function driveConnection() {
  return new Promise((resolve) => {
    const socket = connect({ host: base.hostname, port: Number(base.port), noDelay: true });
    const reader = createResponseReader(benchCase.readsAnswers === true);
    let sentNs = 0n;
    const next = () => {
      if (process.hrtime.bigint() >= endNs) {
        socket.end();
        resolve();
        return;
      }
      sentNs = process.hrtime.bigint();
      socket.write(formatRequest(reader.lastBody()));
    };
    socket.on('connect', next);
    socket.on('data', (chunk) => {
      const answer = reader.take(/** @type {Buffer} */ (chunk));
      if (answer === null) return;
      latenciesUs[requests % latenciesUs.length] = Number(process.hrtime.bigint() - sentNs) / 1e3;
      requests += 1;
      if (!answer.isOk) failures += 1;
      next();
    });
    socket.on('error', () => {
      failures += 1;
      resolve();
    });
    socket.on('close', () => resolve());
  });
}

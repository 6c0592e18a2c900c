// @ts-check
/**
 * The load driver, a process of its own: `connections` keep-alive sockets, one request in flight on each.
 * Started with a JSON job as its argument; writes one JSON line with what it saw.
 */
import { connect } from 'node:net';
import { pathToFileURL } from 'node:url';
import { makeRandom } from './make-random.mjs';

/**
 * @typedef {object} DriveJob
 * @property {string} base
 * @property {string | null} key
 * @property {string} caseFile absolute path of the module
 * @property {string} caseName its export
 * @property {import('./bench-case.mjs').DataSize} size
 * @property {number} connections
 * @property {number} durationMs
 * @property {number} seed
 *
 * @typedef {object} DriveResult
 * @property {number} requests
 * @property {number} failures answers that were no 2xx, or none
 * @property {number} elapsedMs
 * @property {number[]} latenciesUs a sample of at most 20,000
 */

const job = /** @type {DriveJob} */ (JSON.parse(process.argv[2] ?? '{}'));
const benchCase = /** @type {import('./bench-case.mjs').BenchCase} */ ((await import(pathToFileURL(job.caseFile).href))[job.caseName]);
const base = new URL(job.base);
const random = makeRandom(job.seed);
const latenciesUs = new Float64Array(20_000);
let requests = 0;
let failures = 0;

const startedNs = process.hrtime.bigint();
const endNs = startedNs + BigInt(job.durationMs) * 1_000_000n;
await Promise.all(Array.from({ length: job.connections }, driveConnection));
const elapsedMs = Number(process.hrtime.bigint() - startedNs) / 1e6;
/** @type {DriveResult} */
const result = { requests, failures, elapsedMs, latenciesUs: [...latenciesUs.subarray(0, Math.min(requests, latenciesUs.length))] };
console.log(JSON.stringify(result));

function formatRequest() {
  const { method, path, body } = benchCase.makeRequest(random, job.size);
  const payload = body === undefined ? '' : JSON.stringify(body);
  const auth = job.key === null ? '' : `Authorization: Bearer ${job.key}\r\n`;
  const content = body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(payload)}\r\n`;
  return `${method} ${base.pathname.replace(/\/$/, '')}${path} HTTP/1.1\r\nHost: ${base.host}\r\n${auth}${content}\r\n${payload}`;
}

/** @returns {Promise<void>} once the time is over and its last answer is in */
function driveConnection() {
  return new Promise((resolve) => {
    const socket = connect({ host: base.hostname, port: Number(base.port), noDelay: true });
    let sentNs = 0n;
    let received = '';
    const next = () => {
      if (process.hrtime.bigint() >= endNs) {
        socket.end();
        resolve();
        return;
      }
      received = '';
      sentNs = process.hrtime.bigint();
      socket.write(formatRequest());
    };
    socket.setEncoding('latin1');
    socket.on('connect', next);
    socket.on('data', (chunk) => {
      received += chunk;
      if (!isWhole(received)) return;
      latenciesUs[requests % latenciesUs.length] = Number(process.hrtime.bigint() - sentNs) / 1e3;
      requests += 1;
      if (received.charCodeAt(9) !== 0x32) failures += 1;
      next();
    });
    socket.on('error', () => {
      failures += 1;
      resolve();
    });
    socket.on('close', () => resolve());
  });
}

/** Latin-1 keeps one character per byte, so that lengths are bytes. @param {string} received */
function isWhole(received) {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(received.slice(0, headEnd))?.[1];
  if (length !== undefined) return received.length >= headEnd + 4 + Number(length);
  return received.endsWith('0\r\n\r\n') || /^HTTP\/1\.1 (204|304)/.test(received);
}

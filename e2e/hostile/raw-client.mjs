// @ts-check
/**
 * Speaks HTTP without a client library. It sends bytes that no proper client would send, and reads responses
 * however they are delimited.
 */
import { connect } from 'node:net';

/**
 * @typedef {object} RawAnswer
 * @property {number} status
 * @property {Record<string, string>} headers with lower-case names
 * @property {string} text
 * @property {any} json
 * @typedef {object} RawExchange
 * @property {RawAnswer[]} answers
 * @property {boolean} isWhole whether every received byte belongs to a response
 * @property {number} elapsedMs the time until the first response was complete
 */

const ANSWER_WAIT_MS = 30_000;
/** The time for which an incomplete request is kept open, because the server waits for the rest of it. */
const REST_WAIT_MS = 1_500;

/**
 * @param {string} base
 * @returns {{ ask: (bytes: Buffer, method: string) => Promise<RawExchange>, tell: (bytes: Buffer, method: string, isPart?: boolean) => Promise<RawExchange>, close: () => void }}
 *   `ask` sends one request on a persistent connection and reads one response; `tell` uses a new connection
 *   and reads until the server closes it, which it is asked to do once it has responded; `isPart` means that
 *   the server may wait for more
 */
export function openRawClient(base) {
  const { hostname, port } = new URL(base);
  /** @type {import('node:net').Socket | null} */
  let kept = null;

  /** @param {import('node:net').Socket} socket @param {Buffer} bytes @param {string} method @param {boolean} isAlone @param {boolean} [isPart] */
  const exchange = (socket, bytes, method, isAlone, isPart = false) =>
    new Promise((/** @type {(exchange: RawExchange) => void} */ resolve, reject) => {
      const fromMs = performance.now();
      let elapsedMs = 0;
      /** @type {Buffer[]} */
      const chunks = [];
      const finish = (/** @type {boolean} */ isOver) => {
        const { answers, rest } = readAnswers(Buffer.concat(chunks), method, isOver);
        if (answers.length > 0 && elapsedMs === 0) {
          elapsedMs = performance.now() - fromMs;
          if (isAlone) socket.end();
        }
        if (!isOver && (isAlone || answers.length === 0)) return;
        clearTimeout(timer);
        clearTimeout(restTimer);
        socket.removeAllListeners();
        socket.on('error', () => {});
        if (isOver || answers[0]?.headers['connection'] === 'close') {
          socket.destroy();
          if (kept === socket) kept = null;
        }
        if (answers.length === 0) reject(new Error(`no answer: ${Buffer.concat(chunks).toString('latin1').slice(0, 200)}`));
        else resolve({ answers, isWhole: rest === 0, elapsedMs });
      };
      const restTimer = isPart ? setTimeout(() => socket.end(), REST_WAIT_MS) : undefined;
      const timer = setTimeout(() => {
        socket.destroy();
        if (kept === socket) kept = null;
        reject(new Error(`no end of the answer in ${ANSWER_WAIT_MS} ms: ${Buffer.concat(chunks).toString('latin1').slice(0, 200)}`));
      }, ANSWER_WAIT_MS);
      socket.on('data', (chunk) => {
        chunks.push(chunk);
        finish(false);
      });
      socket.on('close', () => finish(true));
      // The `close` event reports what the server sent before it closed the connection.
      socket.on('error', () => {});
      socket.write(bytes);
    });

  const open = () => connect({ host: hostname, port: Number(port), noDelay: true });
  return {
    async ask(bytes, method) {
      const isNew = kept === null;
      kept ??= open();
      try {
        return await exchange(kept, bytes, method, false);
      } catch (err) {
        // The server may close an idle connection at the moment in which it is used.
        if (isNew || !String(err).includes('no answer: ')) throw err;
        kept = open();
        return exchange(kept, bytes, method, false);
      }
    },
    tell: (bytes, method, isPart) => exchange(open(), bytes, method, true, isPart),
    close() {
      kept?.destroy();
      kept = null;
    },
  };
}

/** @param {Buffer} bytes @param {string} method of the first; HEAD has no body @param {boolean} isOver */
export function readAnswers(bytes, method, isOver) {
  /** @type {RawAnswer[]} */
  const answers = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at);
    if (end < 0) break;
    const [first = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0);
    const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
    const read = status === 100 ? { body: Buffer.alloc(0), next: end + 4 } : readBody(bytes, end + 4, status, headers, answers.length === 0 ? method : 'GET', isOver);
    if (read === null) break;
    at = read.next;
    if (status === 100) continue;
    const text = read.body.toString('utf8');
    answers.push({ status, headers, text, json: parse(text) });
  }
  return { answers, rest: bytes.length - at };
}

/** @param {Buffer} bytes @param {number} at @param {number} status @param {Record<string, string>} headers @param {string} method @param {boolean} isOver */
function readBody(bytes, at, status, headers, method, isOver) {
  if (method === 'HEAD' || status === 204 || status === 304) return { body: Buffer.alloc(0), next: at };
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes, at);
  const length = headers['content-length'];
  if (length === undefined) return isOver ? { body: bytes.subarray(at), next: bytes.length } : null;
  const next = at + Number(length);
  return bytes.length < next ? null : { body: bytes.subarray(at, next), next };
}

/** @param {Buffer} bytes @param {number} start */
function readChunks(bytes, start) {
  /** @type {Buffer[]} */
  const parts = [];
  let at = start;
  for (;;) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16);
    const end = line + 2 + size;
    if (!(size >= 0) || bytes.length < end + 2) return null;
    if (size === 0) return { body: Buffer.concat(parts), next: end + 2 };
    parts.push(bytes.subarray(line + 2, end));
    at = end + 2;
  }
}

/** @param {string} text */
function parse(text) {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

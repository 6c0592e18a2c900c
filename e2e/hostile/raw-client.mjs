// @ts-check
/**
 * A client that sends raw bytes, also bytes that no HTTP library would send. It reads responses with a
 * length, with chunks, and until the connection is closed.
 */
import { connect } from 'node:net';

/**
 * @typedef {object} RawResponse
 * @property {number} status
 * @property {Record<string, string>} headers with lower-case names
 * @property {string} text
 * @property {any} json
 * @typedef {object} RawExchange
 * @property {RawResponse[]} answers
 * @property {boolean} isComplete whether every received byte belongs to a response
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
  let persistentSocket = null;

  /**
   * @param {import('node:net').Socket} socket
   * @param {Buffer} bytes
   * @param {string} method
   * @param {boolean} isAlone
   * @param {boolean} [isPart]
   */
  const exchange = (socket, bytes, method, isAlone, isPart = false) =>
    new Promise((/** @type {(exchange: RawExchange) => void} */ resolve, reject) => {
      const fromMs = performance.now();
      let elapsedMs = 0;
      /** @type {Buffer[]} */
      const chunks = [];
      const finish = (/** @type {boolean} */ isFinished) => {
        const { answers, rest } = readAnswers(Buffer.concat(chunks), method, isFinished);
        if (answers.length > 0 && elapsedMs === 0) {
          elapsedMs = performance.now() - fromMs;
          if (isAlone) socket.end();
        }
        if (!isFinished && (isAlone || answers.length === 0)) return;
        clearTimeout(timer);
        clearTimeout(restTimer);
        socket.removeAllListeners();
        socket.on('error', () => {});
        if (isFinished || answers[0]?.headers['connection'] === 'close') {
          socket.destroy();
          if (persistentSocket === socket) persistentSocket = null;
        }
        if (answers.length === 0)
          reject(new Error(`no answer: ${Buffer.concat(chunks).toString('latin1').slice(0, 200)}`));
        else resolve({ answers, isComplete: rest === 0, elapsedMs });
      };
      const restTimer = isPart ? setTimeout(() => socket.end(), REST_WAIT_MS) : undefined;
      const timer = setTimeout(() => {
        socket.destroy();
        if (persistentSocket === socket) persistentSocket = null;
        reject(
          new Error(
            `no end of the answer in ${ANSWER_WAIT_MS} ms: ${Buffer.concat(chunks).toString('latin1').slice(0, 200)}`,
          ),
        );
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
      const isNew = persistentSocket === null;
      persistentSocket ??= open();
      try {
        return await exchange(persistentSocket, bytes, method, false);
      } catch (err) {
        // The server may have closed the idle connection just before this request, so it is sent once more.
        if (isNew || !String(err).includes('no answer: ')) throw err;
        persistentSocket = open();
        return exchange(persistentSocket, bytes, method, false);
      }
    },
    tell: (bytes, method, isPart) => exchange(open(), bytes, method, true, isPart),
    close() {
      persistentSocket?.destroy();
      persistentSocket = null;
    },
  };
}

/** @param {Buffer} bytes @param {string} method of the first; HEAD has no body @param {boolean} isFinished */
export function readAnswers(bytes, method, isFinished) {
  /** @type {RawResponse[]} */
  const answers = [];
  let index = 0;
  while (index < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', index);
    if (end < 0) break;
    const [first = '', ...lines] = bytes.toString('latin1', index, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0);
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const read =
      status === 100
        ? { body: Buffer.alloc(0), next: end + 4 }
        : readBody(bytes, end + 4, status, headers, answers.length === 0 ? method : 'GET', isFinished);
    if (read === null) break;
    index = read.next;
    if (status === 100) continue;
    const text = read.body.toString('utf8');
    answers.push({ status, headers, text, json: parse(text) });
  }
  return { answers, rest: bytes.length - index };
}

/**
 * @param {Buffer} bytes
 * @param {number} index
 * @param {number} status
 * @param {Record<string, string>} headers
 * @param {string} method
 * @param {boolean} isFinished
 */
function readBody(bytes, index, status, headers, method, isFinished) {
  if (method === 'HEAD' || status === 204 || status === 304) return { body: Buffer.alloc(0), next: index };
  if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes, index);
  const length = headers['content-length'];
  if (length === undefined) return isFinished ? { body: bytes.subarray(index), next: bytes.length } : null;
  const next = index + Number(length);
  return bytes.length < next ? null : { body: bytes.subarray(index, next), next };
}

/** @param {Buffer} bytes @param {number} start */
function readChunks(bytes, start) {
  /** @type {Buffer[]} */
  const parts = [];
  let index = start;
  for (;;) {
    const line = bytes.indexOf('\r\n', index);
    if (line < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', index, line), 16);
    const end = line + 2 + size;
    if (!(size >= 0) || bytes.length < end + 2) return null;
    if (size === 0) return { body: Buffer.concat(parts), next: end + 2 };
    parts.push(bytes.subarray(line + 2, end));
    index = end + 2;
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

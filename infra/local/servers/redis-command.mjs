import { connect } from 'node:net';

/**
 * Sends one command to Redis and reads one reply. This is all that the launcher needs, so it needs no client
 * package.
 * @param {string} url `redis://[user:password@]host:port[/db]`
 * @param {readonly string[]} command
 * @param {{timeoutMs?: number}} [options]
 * @returns {Promise<string | string[]>} a bulk or simple string, or a flat list of them
 * @throws {Error} when Redis returns an error or does not answer in time
 */
export async function sendRedisCommand(url, command, options = {}) {
  const { hostname, port, username, password, protocol } = new URL(url);
  if (protocol !== 'redis:') throw new Error(`${protocol}// is not supported here; use redis://`);
  const commands = [command];
  if (password !== '')
    commands.unshift(
      username === ''
        ? ['AUTH', decodeURIComponent(password)]
        : ['AUTH', decodeURIComponent(username), decodeURIComponent(password)],
    );
  const socket = connect({ host: hostname, port: Number(port || 6379) });
  socket.setTimeout(options.timeoutMs ?? 2_000, () =>
    socket.destroy(new Error('Redis did not respond in time')),
  );
  try {
    socket.write(commands.map((parts) => encodeCommand(parts)).join(''));
    return await readAnswers(socket, commands.length);
  } finally {
    socket.destroy();
  }
}

/** @param {readonly string[]} parts */
function encodeCommand(parts) {
  return `*${parts.length}\r\n${parts.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join('')}`;
}

/**
 * @param {import('node:net').Socket} socket
 * @param {number} count how many replies to read; the last one is returned, and an error among them throws
 * @returns {Promise<string | string[]>}
 */
function readAnswers(socket, count) {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const answers = parseResponses(received);
      const error = answers.find((answer) => answer instanceof Error);
      if (error instanceof Error) reject(error);
      else if (answers.length >= count) resolve(/** @type {string | string[]} */ (answers[count - 1]));
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('Redis closed the connection')));
  });
}

/**
 * Parses as many complete replies as have arrived. Lengths are in bytes, and text may contain line ends.
 * @param {Buffer} bytes
 * @returns {(string | string[] | Error)[]}
 */
export function parseResponses(bytes) {
  /** @type {(string | string[] | Error)[]} */
  const answers = [];
  for (let index = 0; ;) {
    const answer = parseAnswer(bytes, index);
    if (answer === null) return answers;
    answers.push(answer.value);
    index = answer.end;
  }
}

/**
 * @param {Buffer} bytes
 * @param {number} index
 * @returns {{value: string | string[] | Error, end: number} | null} null while the reply is incomplete
 */
function parseAnswer(bytes, index) {
  const lineEnd = bytes.indexOf('\r\n', index);
  if (lineEnd < 0) return null;
  const kind = String.fromCharCode(bytes[index] ?? 0);
  const line = bytes.toString('utf8', index + 1, lineEnd);
  const start = lineEnd + 2;
  if (kind === '-') return { value: new Error(line), end: start };
  if (kind === '*') return parseList(bytes, start, Number(line));
  if (kind !== '$') return { value: line, end: start };
  if (Number(line) < 0) return { value: '', end: start };
  const end = start + Number(line) + 2;
  return bytes.length < end ? null : { value: bytes.toString('utf8', start, end - 2), end };
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} count
 * @returns {{value: string[], end: number} | null}
 */
function parseList(bytes, start, count) {
  /** @type {string[]} */
  const items = [];
  let position = start;
  for (let index = 0; index < count; index += 1) {
    const item = parseAnswer(bytes, position);
    if (item === null) return null;
    items.push(String(item.value));
    position = item.end;
  }
  return { value: items, end: position };
}

import { connect } from 'node:net';

/**
 * Sends one command to Redis and reads one answer: all the launcher needs, without a client package.
 *
 * @param {string} url `redis://[user:password@]host:port[/db]`
 * @param {readonly string[]} command
 * @param {{timeoutMs?: number}} [options]
 * @returns {Promise<string | string[]>} a bulk or simple string, or a flat list of them
 * @throws {Error} when Redis refuses or does not answer in time
 */
export async function sendRedisCommand(url, command, options = {}) {
  const { hostname, port, username, password, protocol } = new URL(url);
  if (protocol !== 'redis:') throw new Error(`${protocol}// is not served here; use redis://`);
  const commands = [command];
  if (password !== '') commands.unshift(username === '' ? ['AUTH', decodeURIComponent(password)] : ['AUTH', decodeURIComponent(username), decodeURIComponent(password)]);
  const socket = connect({ host: hostname, port: Number(port || 6379) });
  socket.setTimeout(options.timeoutMs ?? 2_000, () => socket.destroy(new Error('Redis did not answer in time')));
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
 * @param {number} count the last of so many answers is wanted; an error among them throws
 * @returns {Promise<string | string[]>}
 */
function readAnswers(socket, count) {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
      const answers = parseAnswers(text);
      const error = answers.find((answer) => answer instanceof Error);
      if (error instanceof Error) reject(error);
      else if (answers.length >= count) resolve(/** @type {string | string[]} */ (answers[count - 1]));
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('Redis closed the connection')));
  });
}

/**
 * Parses as many whole answers as the text holds.
 * @param {string} text
 * @returns {(string | string[] | Error)[]}
 */
function parseAnswers(text) {
  const lines = text.split('\r\n');
  lines.pop();
  /** @type {(string | string[] | Error)[]} */
  const answers = [];
  let at = 0;
  /** @returns {string | string[] | Error | undefined} */
  const next = () => {
    const line = lines[at];
    if (line === undefined) return undefined;
    at += 1;
    const rest = line.slice(1);
    if (line[0] === '-') return new Error(rest);
    if (line[0] === '$') {
      if (Number(rest) < 0) return '';
      const body = lines[at];
      at += 1;
      return body;
    }
    if (line[0] === '*') {
      const items = [];
      for (let index = 0; index < Number(rest); index += 1) {
        const item = next();
        if (typeof item !== 'string') return undefined;
        items.push(item);
      }
      return items;
    }
    return rest;
  };
  for (let answer = next(); answer !== undefined; answer = next()) answers.push(answer);
  return answers;
}

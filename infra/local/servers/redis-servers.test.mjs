import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { findRedisServer, readSeveralRedis } from './redis-servers.mjs';

/** @type {import('node:net').Server[]} */
const servers = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/**
 * Starts a server that gives the same reply to every command.
 * @param {string} answer
 * @returns {Promise<{port: number, received: () => string}>}
 */
async function answerWith(answer) {
  let received = '';
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      received += bytes.toString('utf8');
      // Each command gets one reply.
      for (const _ of bytes.toString('utf8').matchAll(/^\*/gm)) socket.write(answer);
    });
    socket.on('error', () => undefined);
  });
  servers.push(server);
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(undefined));
  });
  return {
    port: /** @type {import('node:net').AddressInfo} */ (server.address()).port,
    received: () => received,
  };
}

describe('findRedisServer', () => {
  it("findRedisServer asks each Sentinel in turn for the primary, with the Sentinels' password", async () => {
    const sentinel = await answerWith('*2\r\n$9\r\n127.0.0.1\r\n$4\r\n6400\r\n');
    expect(
      await findRedisServer(
        `redis+sentinel://:pw@127.0.0.1:1,127.0.0.1:${sentinel.port}/main?sentinel_password=other`,
      ),
    ).toBe('redis://:pw@127.0.0.1:6400');
    expect(sentinel.received()).toContain('other');
    expect(sentinel.received()).not.toContain('pw\r\n');
  });
  it('findRedisServer returns a cluster node that responds', async () => {
    const node = await answerWith('+PONG\r\n');
    expect(await findRedisServer(`redis+cluster://u:pw@127.0.0.1:1,127.0.0.1:${node.port}`)).toBe(
      `redis://u:pw@127.0.0.1:${node.port}`,
    );
    await expect(findRedisServer('redis+cluster://127.0.0.1:1')).rejects.toThrow();
  });
  it('findRedisServer returns the address of a single server unchanged', async () => {
    expect(await findRedisServer('redis://:pw@h:1/2')).toBe('redis://:pw@h:1/2');
    expect(readSeveralRedis('redis+cluster://h')?.hosts).toEqual(['h:6379']);
  });
});

import { once } from 'node:events';
import http, { type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { AppError } from '@rowhouse/errors';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { boundConnections } from './bound-connections.js';

const CONNECTIONS_MAX = 5;

describe('connections beyond the limit', () => {
  let server: Server;
  let isAddressFull: boolean;

  beforeEach(async () => {
    isAddressFull = false;
    server = http.createServer({ keepAliveTimeout: 60_000 });
    const bound = boundConnections(
      server,
      { reject: () => (isAddressFull ? new AppError('limit.address', { retryAfterSeconds: 2 }) : null) },
      CONNECTIONS_MAX,
    );
    server.on('request', (req, res) => {
      const rejection = bound.reject(req, res);
      res.writeHead(
        rejection?.status ?? 200,
        rejection === null ? {} : { 'Retry-After': String(rejection.retryAfterSeconds) },
      );
      res.end(rejection === null ? 'served' : rejection.code);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function open(): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const taken = once(server, 'connection');
    onTestFinished(() => void socket.destroy());
    await Promise.all([once(socket, 'connect'), taken]);
    return socket;
  }
  async function ask(socket: Socket): Promise<string> {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    return bytes.toString('latin1');
  }
  const fill = async (count: number): Promise<Socket[]> => {
    const opened: Socket[] = [];
    while (opened.length < count) opened.push(await open());
    return opened;
  };

  it('an excess connection gets an error on its first request, and earlier connections are still served', async () => {
    const [first] = await fill(CONNECTIONS_MAX);
    const guest = await open();
    const ended = once(guest, 'end');
    expect(await ask(guest)).toMatch(
      /^HTTP\/1\.1 503 .*Retry-After: 2\r\n.*Connection: close\r\n.*limit\.busy/s,
    );
    await ended;
    expect(await ask(first as Socket)).toMatch(/^HTTP\/1\.1 200 .*served/s);
  });

  it('a connection at the limit is admitted after another one has closed', async () => {
    const [first] = await fill(CONNECTIONS_MAX);
    first?.destroy();
    await expect.poll(async () => (await ask(await open())).slice(0, 12)).toBe('HTTP/1.1 200');
  });

  it('the connection limit of an address is checked before that of the gateway', async () => {
    const [socket] = await fill(1);
    isAddressFull = true;
    const ended = once(socket as Socket, 'end');
    expect(await ask(socket as Socket)).toMatch(/^HTTP\/1\.1 429 .*Connection: close\r\n.*limit\.address/s);
    await ended;
  });

  it('a gateway closes idle connections earlier when its connection limit is near', async () => {
    const [first, second] = await fill(CONNECTIONS_MAX - 1);
    expect(await ask(first as Socket)).toContain('Keep-Alive: timeout=60');
    const last = await open();
    expect(await ask(first as Socket)).toContain('Keep-Alive: timeout=5');
    last.destroy();
    await expect.poll(() => ask(second as Socket)).toContain('Keep-Alive: timeout=60');
  });
});

import { once } from 'node:events';
import http, { type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limitAddressConnections } from './address-connections.js';

const CONNECTIONS_MAX = 3;

describe('limitAddressConnections', () => {
  let server: Server;
  let rejected: number;
  let waitsForBodies: boolean;
  const sockets = new Set<Socket>();

  beforeEach(async () => {
    rejected = 0;
    waitsForBodies = false;
    server = http.createServer({ keepAliveTimeout: 60_000 });
    const limit = limitAddressConnections(server, {
      connectionsMax: CONNECTIONS_MAX,
      trustedNetworks: [],
      responseMsMax: 200,
      isExempt: (address) => address === '127.0.0.9',
      onRejected: () => (rejected += 1),
    });
    server.on('request', (req, res) => {
      const answer = (): void => {
        const rejection = limit.reject(req.socket);
        res.writeHead(rejection?.status ?? 200, rejection === null ? {} : { Connection: 'close' });
        res.end(rejection?.code ?? 'served');
      };
      if (waitsForBodies) req.resume().once('end', answer);
      else answer();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    server.closeAllConnections();
    server.close();
  });

  async function open(localAddress = '127.0.0.1'): Promise<Socket> {
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress });
    const taken = once(server, 'connection');
    sockets.add(socket);
    await Promise.all([once(socket, 'connect'), taken]);
    return socket;
  }
  async function fill(count: number, from?: string): Promise<Socket[]> {
    const opened: Socket[] = [];
    while (opened.length < count) opened.push(await open(from));
    return opened;
  }
  async function ask(socket: Socket): Promise<string> {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    return bytes.toString('latin1');
  }

  it('a connection beyond the limit of its address gets limit.address on its first request and is closed', async () => {
    const [first] = await fill(CONNECTIONS_MAX);
    const extra = await open();
    const ended = once(extra, 'end');
    expect(await ask(extra)).toMatch(/^HTTP\/1\.1 429 .*limit\.address/s);
    await ended;
    expect(await ask(first as Socket)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask(await open('127.0.0.2'))).toMatch(/^HTTP\/1\.1 200 /);
    expect(rejected).toBe(1);
  });

  it('a closed connection allows another one from its address', async () => {
    const [first] = await fill(CONNECTIONS_MAX);
    const removed = once(first as Socket, 'close');
    first?.destroy();
    await removed;
    await expect.poll(async () => (await ask(await open())).slice(0, 12)).toBe('HTTP/1.1 200');
  });

  it('connections far beyond the limit are closed without a response', async () => {
    await fill(CONNECTIONS_MAX + 32);
    const closed = once(await open(), 'close');
    await closed;
    expect(rejected).toBe(33);
  });

  it('a rejected connection with an incomplete request head is closed after responseMsMax', async () => {
    const [first] = await fill(CONNECTIONS_MAX);
    first?.write('GET / HTTP/1.1\r\nHo');
    const [silent, slow] = await fill(2);
    slow?.write('G');
    await Promise.all([once(silent as Socket, 'close'), once(slow as Socket, 'close')]);
    expect(first?.readyState).toBe('open');
  });

  it('a rejected connection may finish sending its body once the head is complete', async () => {
    await fill(CONNECTIONS_MAX);
    const extra = await open();
    waitsForBodies = true;
    extra.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n1');
    await pause(400);
    extra.write('2');
    const [bytes] = (await once(extra, 'data')) as [Buffer];
    expect(bytes.toString('latin1')).toMatch(/^HTTP\/1\.1 429 /);
  });

  it('connections from trusted networks are not limited', async () => {
    const opened = await fill(CONNECTIONS_MAX + 2, '127.0.0.9');
    expect(await ask(opened.at(-1) as Socket)).toMatch(/^HTTP\/1\.1 200 /);
    expect(rejected).toBe(0);
  });
});

import { once } from 'node:events';
import http, { type Server } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { assertFree, openMoreListeners, SHARED_PORT, type Listeners } from './more-listeners.js';

const CALLERS = 96;
const HOST = '127.0.0.1';
const nextSlice = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('additional listening sockets', () => {
  let server: Server;
  let moreListeners: Listeners;
  let port: number;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    server = http.createServer((req, res) => void res.end(`served ${req.url ?? ''}`));
    server.listen({ port: 0, host: HOST, ...SHARED_PORT });
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
    moreListeners = await openMoreListeners(server, { port, host: HOST, backlog: 1_024 });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.closeAllConnections();
    await Promise.all([moreListeners.close(), promisify(server.close.bind(server))()]);
  });

  it('additional listening sockets accept several connections per event loop turn', async ({ skip }) => {
    if (moreListeners.count === 0) skip('neither this system nor this Node shares a port');
    let takenCount = 0;
    let iterations = 0;
    server.on('connection', () => void (takenCount += 1));
    sockets.push(...Array.from({ length: CALLERS }, () => connect(port, HOST)));
    for (; takenCount < CALLERS; iterations += 1) await nextSlice();
    // If the server accepted one connection in each iteration, it would need as many iterations as there are
    // clients.
    expect(iterations).toBeLessThan(CALLERS / 2);
  });

  it('additional listening sockets serve connections like the first socket of the server', async () => {
    const answers = await Promise.all(
      Array.from({ length: CALLERS }, (_, caller) =>
        fetch(`http://${HOST}:${port}/${caller}`).then((response) => response.text()),
      ),
    );
    expect(answers).toEqual(Array.from({ length: CALLERS }, (_, caller) => `served /${caller}`));
  });

  it('a listening port that another process uses is detected', async () => {
    await expect(assertFree({ port, host: HOST })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const other = createServer().listen(0, HOST);
    await once(other, 'listening');
    const free = (other.address() as AddressInfo).port;
    await promisify(other.close.bind(other))();
    await assertFree({ port: free, host: HOST });
  });
});

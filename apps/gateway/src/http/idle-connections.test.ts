import { once } from 'node:events';
import http, { type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { respondToClientError } from './client-error.js';
import { closeServer, endIdleConnections } from './idle-connections.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const PATIENCE_MS = 1_000;
/** Disables the additional second that newer versions of Node wait, because it is not tested here. */
const NO_BUFFER = { keepAliveTimeoutBuffer: 0 };

/** Blocks the event loop, so that the server reads nothing for this time. */
function holdUp(durationMs: number): void {
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs);
}

describe('connections of a blocked process', () => {
  let server: Server;
  let socket: Socket;
  let answer = '';

  afterEach(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  async function serve(
    options: http.ServerOptions,
    onRequest: http.RequestListener = (_req, res) => void res.end('served'),
  ): Promise<void> {
    server = http.createServer({ ...options, ...NO_BUFFER }, onRequest);
    server.on('clientError', respondToClientError);
    endIdleConnections(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  function open(): Socket {
    answer = '';
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('data', (bytes) => void (answer += bytes.toString('latin1')));
    return socket;
  }
  /** Returns the number of responses. */
  const countAnswers = (): number => answer.split('HTTP/1.1 200').length - 1;

  it('a request that arrived before its keep-alive time was over gets a response', async () => {
    let isFirst = true;
    await serve({ keepAliveTimeout: PATIENCE_MS }, (_req, res) => {
      res.once('finish', () => {
        if (!isFirst) return;
        isFirst = false;
        socket.write(REQUEST);
        holdUp(PATIENCE_MS * 1.3);
      });
      res.end('served');
    });
    open().write(REQUEST);
    await expect.poll(countAnswers, { timeout: 5_000 }).toBe(2);
  });

  it('a connection on which nothing arrives is closed', async () => {
    await serve({ keepAliveTimeout: 100 });
    open().write(REQUEST);
    await once(socket, 'close');
    expect(countAnswers()).toBe(1);
  });

  it('a request that arrived before its header timeout gets a response', async () => {
    await serve({ headersTimeout: PATIENCE_MS, requestTimeout: 60_000, connectionsCheckingInterval: 50 });
    const taken = once(server, 'connection');
    await Promise.all([taken, once(open(), 'connect')]);
    socket.write(REQUEST);
    holdUp(PATIENCE_MS * 1.3);
    await expect.poll(() => answer, { timeout: 5_000 }).toContain('\r\n\r\nserved');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('a connection with half a request head gets 408', async () => {
    await serve({ headersTimeout: 100, requestTimeout: 60_000, connectionsCheckingInterval: 50 });
    open().write('GET / HTTP/1.1\r\nHo');
    await once(socket, 'end');
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*"code":"request\.timeout"/s);
    open();
    await once(socket, 'end');
    expect(answer).toBe('');
  });

  it('a request that has already arrived gets a response when the server stops', async () => {
    await serve({});
    open().write(REQUEST);
    await expect.poll(countAnswers).toBe(1);
    await new Promise<void>((resolve, reject) => {
      setTimeout(() => {
        socket.write(REQUEST);
        holdUp(30);
        closeServer(server, () => promisify(server.close.bind(server))(), 5_000).then(resolve, reject);
      }, 0);
    });
    await expect.poll(countAnswers).toBe(2);
  });

  it('a response is completed before invalid following bytes close its connection', async () => {
    const waiting: (() => void)[] = [];
    await serve({}, (_req, res) => void waiting.push(() => res.end('served')));
    const rejected = new Promise((resolve) => {
      open();
      server.once('clientError', resolve);
    });
    socket.write(`${REQUEST}GARBAGE\r\n\r\n`);
    await rejected;
    waiting[0]?.();
    await once(socket, 'end');
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*Connection: close\r\n.*\r\n\r\nserved$/s);
  });
});

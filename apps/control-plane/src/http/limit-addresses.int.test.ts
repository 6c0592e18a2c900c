import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { openConnectionFrom, requestOn } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../testing/start-test-control-plane.js';

let plane: TestControlPlane;

beforeAll(async () => {
  plane = await startTestControlPlane(
    { CONTROL_ADDRESS_RATE: '1', CONTROL_ADDRESS_CONNECTIONS: '2', TRUSTED_PROXIES: '10.0.0.1' },
    undefined,
    400,
  );
}, 60_000);
afterAll(() => plane?.stop());

const AT_ONCE = 30;

interface HttpResponse {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

async function call(remoteAddress: string, forwarded?: string): Promise<HttpResponse> {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const reply = await plane.app.inject({ method: 'GET', url: '/api/me', remoteAddress, headers });
  return {
    status: reply.statusCode,
    code: (JSON.parse(reply.body) as { code: string }).code,
    headers: reply.headers,
  };
}

async function countRejected(remoteAddress: string, forwarded?: (index: number) => string): Promise<number> {
  const responses = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) => call(remoteAddress, forwarded?.(index))),
  );
  return responses.filter(({ code }) => code === 'limit.address').length;
}

describe('request rate per address', () => {
  it("an address may send a burst of ten seconds' requests", async () => {
    expect(await countRejected('203.0.113.1')).toBeGreaterThan(0);
    const rejected = await call('203.0.113.1');
    expect(rejected).toMatchObject({
      status: 429,
      code: 'limit.address',
      headers: { 'ratelimit-limit': '10', 'ratelimit-remaining': '0', 'retry-after': '1' },
    });
    expect(rejected.headers['x-request-id']).toEqual(expect.any(String));
    expect((await call('203.0.113.2')).status).toBe(401);
  });

  it('the address rate applies behind trusted proxies and to whole IPv6 networks', async () => {
    expect(await countRejected('10.0.0.1', (index) => `198.51.100.${index + 1}`)).toBe(0);
    expect(await countRejected('10.0.0.1', () => '198.51.100.200')).toBeGreaterThan(0);
    expect(await countRejected('10.0.0.1', (index) => `2001:db8:1:1::${index + 1}`)).toBeGreaterThan(0);
    // The requests of an untrusted proxy count for the proxy's own address, whatever client address it
    // claims.
    expect(await countRejected('203.0.113.3', (index) => `198.51.100.${index + 1}`)).toBeGreaterThan(0);
    expect(await countRejected('10.0.0.1')).toBe(0);
    expect(await countRejected('127.0.0.1')).toBe(0);
  });
});

describe('connections per address', () => {
  const open = (remoteAddress: string): Duplex =>
    openConnectionFrom(plane.app.getHttpServer(), remoteAddress);
  const ask = (client: Duplex): Promise<string> => requestOn(client, '/api/me');

  it('connections beyond the limit of their address get 429 and are closed', async () => {
    const [first, , third] = [open('203.0.113.50'), open('203.0.113.50'), open('203.0.113.50')] as const;
    const ended = once(third, 'end');
    expect(await ask(third)).toMatch(/^HTTP\/1\.1 429 .*connection: close\r\n.*limit\.address/is);
    await ended;
    expect(await ask(first)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await ask(open('203.0.113.51'))).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('the head of a request', () => {
  it('an incomplete request head gets 408, and a silent connection closes without a response', async () => {
    await plane.app.listen(0, '127.0.0.1');
    const { port } = plane.app.getHttpServer().address() as AddressInfo;
    const send = async (text: string): Promise<string> => {
      const socket = connect(port, '127.0.0.1', () => text !== '' && socket.write(text));
      let answer = '';
      socket.on('data', (bytes) => (answer += bytes.toString('latin1')));
      await once(socket, 'end');
      socket.destroy();
      return answer;
    };
    const [half, silent, bad] = await Promise.all([send('G'), send(''), send('GARBAGE\r\n\r\n')]);
    expect(half).toMatch(
      /^HTTP\/1\.1 408 Request Timeout\r\n.*Connection: close\r\n.*"code":"request\.timeout"/s,
    );
    expect(silent).toBe('');
    expect(bad).toMatch(/^HTTP\/1\.1 400 .*"code":"request\.malformed"/s);
  });
});

import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../testing/start-test-control-plane.js';
import { TestClient } from '../testing/test-client.js';

let plane: TestControlPlane;
let owner: TestClient;
let databaseId: string;

beforeAll(async () => {
  plane = await startTestControlPlane();
  owner = new TestClient(plane.app);
  const signup = await owner.signUp('bodies@example.test');
  databaseId = (signup.json['databases'] as { id: string }[])[0]?.id ?? '';
}, 60_000);
afterAll(() => plane?.stop());

interface TestReply {
  readonly statusCode: number;
  readonly body: string;
}

describe('invalid request bodies', () => {
  const send = (
    headers: Record<string, string>,
    payload: string | Buffer,
  ): Promise<{ status: number; code: string }> =>
    plane.app
      .inject({
        method: 'POST',
        url: '/api/tokens',
        headers: { cookie: owner.cookie ?? '', 'x-csrf-token': owner.csrf ?? '', ...headers },
        payload,
      })
      .then((res) => ({ status: res.statusCode, code: (JSON.parse(res.body) as { code: string }).code }));
  const json = { 'content-type': 'application/json' };

  it('a request body with a wrong or missing content type is rejected', async () => {
    expect(await send({ 'content-type': 'text/plain' }, '{"name":"a"}')).toEqual({
      status: 415,
      code: 'request.unsupported_type',
    });
    expect(await send({}, '{"name":"a"}')).toEqual({ status: 415, code: 'request.unsupported_type' });
  });
  it('a request body that is compressed, too large or not UTF-8 is rejected', async () => {
    expect(await send({ ...json, 'content-encoding': 'gzip' }, '{"name":"a"}')).toEqual({
      status: 415,
      code: 'request.unsupported_type',
    });
    expect(await send(json, `{"name":"${'x'.repeat(3 << 20)}"}`)).toEqual({
      status: 413,
      code: 'request.body_too_large',
    });
    expect(await send(json, Buffer.from([0x7b, 0x22, 0x6e, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toEqual({
      status: 400,
      code: 'request.invalid_utf8',
    });
  });
  it('a request body has a limited number of values, and at most a hundred faults are reported', async () => {
    const members = (count: number): string =>
      `{${Array.from({ length: count }, (_, index) => `"m${index}":1`).join(',')}}`;
    const outsider = (payload: string): Promise<TestReply> =>
      plane.app.inject({ method: 'POST', url: '/api/auth/login', headers: json, payload });
    const faults = (res: TestReply): unknown[] => [
      res.statusCode,
      (JSON.parse(res.body) as { detail: unknown[] }).detail.length,
    ];
    expect(faults(await outsider(members(20_000)))).toEqual([422, 100]);
    expect(faults(await outsider(members(20_001)))).toEqual([422, 1]);
    expect(faults(await outsider(`{"email":[${'[],'.repeat(100_000)}0]}`))).toEqual([422, 1]);
    const key = await owner.post(`/api/databases/${databaseId}/keys`, {
      name: 'a',
      tables: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`t${index}`, ['read']])),
    });
    expect([key.status, (key.json['detail'] as unknown[]).length]).toEqual([422, 100]);
    const scopes = await owner.post(`/api/databases/${databaseId}/keys`, {
      name: 'a',
      scopes: Array.from({ length: 5_000 }, () => 'nothing'),
    });
    expect([scopes.status, (scopes.json['detail'] as unknown[]).length]).toEqual([422, 100]);
  });
  it('a JSON body with the member __proto__ is rejected', async () => {
    expect(await send(json, '{"name":"a","__proto__":{"x":1}}')).toEqual({
      status: 400,
      code: 'request.malformed_json',
    });
  });
});

describe('an expiry in the past or out of range', () => {
  it.each(['2020-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59-14:00'])(
    '%s creates no token, key or connection if its expiry is in the past or out of range',
    async (expiresAt) => {
      for (const [path, body] of [
        ['/api/tokens', { name: 'a' }],
        [`/api/databases/${databaseId}/keys`, { name: 'a' }],
        [`/api/databases/${databaseId}/connections`, { name: 'a', role: 'read-only' }],
      ] as const) {
        const answer = await owner.post(path, { ...body, expires_at: expiresAt });
        expect(answer).toMatchObject({
          status: 422,
          json: { code: 'body.invalid', detail: [{ loc: ['body', 'expires_at'] }] },
        });
      }
    },
  );
});

describe('malformed requests and requests without a clear host', () => {
  it.each([
    'Host: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked',
    'Host: x\r\nHost: y\r\nConnection: close',
    'Connection: close',
  ])('a malformed request gets an error response and its connection is closed: %j', async (headers) => {
    if (!plane.app.getHttpServer().listening) await plane.app.listen(0, '127.0.0.1');
    const { port } = plane.app.getHttpServer().address() as { port: number };
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`GET /api/me HTTP/1.1\r\n${headers}\r\n\r\n`),
      );
      let seen = '';
      socket.on('data', (chunk) => (seen += chunk.toString()));
      socket.on('end', () => resolve(seen));
      socket.on('error', reject);
    });
    const [head, body] = text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(body ?? '')).toMatchObject({
      code: 'request.malformed',
      request_id: expect.stringMatching(/^req_/),
    });
  });
});

describe('a request without a caller', () => {
  /** Sends a request. `body` is sent when the server asks for it with 100 Continue. */
  const send = (text: string, body = ''): Promise<string> =>
    new Promise((resolve, reject) => {
      const { port } = plane.app.getHttpServer().address() as { port: number };
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      let seen = '';
      socket.on('data', (chunk) => {
        if (seen === '' && body !== '') socket.write(body);
        seen += chunk.toString();
      });
      socket.on('close', () => resolve(seen));
      socket.on('error', reject);
    });

  beforeAll(async () => {
    if (!plane.app.getHttpServer().listening) await plane.app.listen(0, '127.0.0.1');
  });

  it.each([
    ['a body that never comes', 'Content-Length: 90000'],
    ['a chunked body that never ends', 'Transfer-Encoding: chunked'],
    ['a body that waits to be asked for', 'Content-Length: 10\r\nExpect: 100-continue'],
    ['a bad token and a body that never comes', 'Content-Length: 90000\r\nAuthorization: Bearer rhp_x'],
  ])('an unauthenticated request is rejected before its body is read: %s', async (_case, headers) => {
    for (const [line, type] of [
      ['POST /api/tokens', 'application/json'],
      ['POST /mcp', 'application/json'],
      ['POST /api/projects/x/schema/import', 'application/sql'],
    ]) {
      const answer = await send(`${line} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${headers}\r\n\r\n`);
      expect(answer, line).toMatch(/^HTTP\/1.1 401 /);
    }
  });

  it('two Authorization headers are rejected, whatever their form', async () => {
    for (const headers of [
      'Authorization: Bearer a\r\nauthorization: Bearer b',
      'Authorization: Bearer a, Bearer b',
    ]) {
      const answer = await send(`GET /api/me HTTP/1.1\r\nHost: x\r\n${headers}\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 400 .*"code":"request.bad_header".*Send Authorization once/s);
    }
  });

  it('the body of an unauthenticated request is read on a public route', async () => {
    const body = '{"email":"nobody@example.test","password":"not the password"}';
    const answer = await send(
      `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
      body,
    );
    expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 401 /);
  });
});

import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../testing/start-test-control-plane.js';
import { TestClient } from '../testing/test-client.js';

let plane: TestControlPlane;
let owner: TestClient;
let codePath: string;

beforeAll(async () => {
  plane = await startTestControlPlane();
  owner = new TestClient(plane.app);
  const signup = await owner.signUp('short@example.test', { starter: 'empty' });
  codePath = `/api/databases/${signup.json['databases'][0].id}/code/typescript`;
}, 60_000);
afterAll(() => plane?.stop());

const sendRequest = (url: string, encoding?: string): ReturnType<typeof plane.app.inject> =>
  plane.app.inject({
    method: 'GET',
    url,
    headers: {
      cookie: owner.cookie ?? '',
      ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
    },
  });

it('a long response is compressed without changing its content', async () => {
  const [plain, short] = [await sendRequest(codePath), await sendRequest(codePath, 'gzip, deflate, br')];
  expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([undefined, 'accept-encoding']);
  expect([short.headers['content-encoding'], short.headers['vary'], short.headers['content-length']]).toEqual(
    ['gzip', 'accept-encoding', String(short.rawPayload.length)],
  );
  expect(short.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
  expect(gunzipSync(short.rawPayload).toString()).toBe(plain.body);
});

it.each([
  ['*', 'gzip'],
  ['gzip;q=0.5, br', 'gzip'],
  ['br', undefined],
  ['gzip;q=0', undefined],
  ['identity, xgzip', undefined],
])('Accept-Encoding %s is respected', async (encoding, expected) => {
  expect((await sendRequest(codePath, encoding)).headers['content-encoding']).toBe(expected);
});

it('API responses have no-store headers, however the URL is spelled', async () => {
  for (const url of ['/api/me', '/%61pi/me', '/api/nothing'])
    expect([url, (await sendRequest(url)).headers['cache-control']]).toEqual([url, 'no-store']);
});

it('short responses, responses with the CSRF token and anonymous ones are not compressed', async () => {
  for (let index = 0; index < 12; index += 1)
    expect(
      (await owner.post('/api/organizations', { name: `Organization with a long name, number ${index}` }))
        .status,
    ).toBe(201);
  const me = await sendRequest('/api/me', 'gzip');
  expect(me.rawPayload.length).toBeGreaterThan(1_024);
  const anonymous = await plane.app.inject({
    method: 'GET',
    url: '/api/openapi.json',
    headers: { 'accept-encoding': 'gzip' },
  });
  for (const response of [
    me,
    await sendRequest('/api/me?x=1', 'gzip'),
    await sendRequest('/api/m%65', 'gzip'),
    anonymous,
    await sendRequest('/api/tokens', 'gzip'),
  ])
    expect(response.headers['content-encoding']).toBe(undefined);
});

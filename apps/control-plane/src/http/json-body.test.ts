import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { acceptJsonBodies } from './json-body.js';

const KIB = 1024;
let app: FastifyInstance;
afterEach(() => app.close());

it('one address may use half of the body budget until its responses are sent', async () => {
  app = fastify();
  acceptJsonBodies(app, () => Promise.resolve(null), 400 * KIB);
  const waiting: (() => void)[] = [];
  app.post('/', () => new Promise((resolve) => waiting.push(() => resolve('done'))));
  app.setErrorHandler((error, _req, reply) =>
    reply.status((error as { status?: number }).status ?? 500).send('no'),
  );
  const send = async (length: number, remoteAddress = '192.0.2.1'): Promise<number> =>
    (
      await app.inject({
        method: 'POST',
        url: '/',
        remoteAddress,
        headers: { 'content-type': 'application/json' },
        payload: `"${'x'.repeat(length - 2)}"`,
      })
    ).statusCode;
  // The first 16 KiB of a body do not count towards the budget.
  const atWork = [send(116 * KIB), send(116 * KIB)];
  await expect.poll(() => waiting.length).toBe(2);
  expect(await send(116 * KIB)).toBe(503);
  atWork.push(send(16 * KIB), send(116 * KIB, '192.0.2.2'));
  await expect.poll(() => waiting.length).toBe(4);
  waiting.splice(0).forEach((resume) => resume());
  expect(await Promise.all(atWork)).toEqual([200, 200, 200, 200]);
  const later = send(116 * KIB);
  await expect.poll(() => waiting.length).toBe(1);
  waiting.splice(0).forEach((resume) => resume());
  expect(await later).toBe(200);
});

it.each([
  ['deep', '['.repeat(100_000), 422],
  ['deep in an object', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 422],
  ['wide', `[${'0,'.repeat(20_000)}0]`, 422],
  ['many small lists', `[${'[0,0,0,0,0,0,0,0,0],'.repeat(11_000)}0]`, 422],
  ['half of a surrogate pair', String.raw`{"name":"\ud83d"}`, 422],
  ['half of a surrogate pair in a name', String.raw`{"\udc00":1}`, 422],
  ['a pair', String.raw`{"name":"\ud83d\ude00"}`, 200],
  ['an escaped backslash', String.raw`{"name":"\\ud83d"}`, 200],
  ['brackets in text', JSON.stringify({ name: '[{,"'.repeat(50_000) }), 200],
  ['64 deep', `${'['.repeat(64)}${']'.repeat(64)}`, 200],
  ['closed more often than opened', ']]]]', 400],
])('a JSON body is checked before it is parsed: %s', async (_, payload, expected) => {
  app = fastify();
  acceptJsonBodies(app, () => Promise.resolve(null));
  app.post('/', () => 'done');
  app.setErrorHandler((error, _req, reply) =>
    reply.status((error as { status?: number }).status ?? 500).send('no'),
  );
  const headers = { 'content-type': 'application/json' };
  expect((await app.inject({ method: 'POST', url: '/', headers, payload })).statusCode).toBe(expected);
});

import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestCell, type TestCell, type TestGateway, type TestTenant } from '../test/test-cell.js';

const servers = getTestServers();

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly json: any;
}

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))('the gateway on %s', (_name, engine) => {
  let cell: TestCell;
  let gateway: TestGateway;
  let one: TestTenant;
  let two: TestTenant;

  beforeAll(async () => {
    cell = await createTestCell(engine, servers.redisUrl);
    one = await cell.addTenant();
    two = await cell.addTenant();
    gateway = await cell.startGateway();
  });

  afterAll(() => cell.stop());

  async function call(method: string, path: string, key: string | null, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const response = await fetch(gateway.url + path, {
      method,
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, json: text === '' ? null : JSON.parse(text) };
  }

  it('answers health without a key, and of the database with one', async () => {
    expect((await call('GET', '/v1/-/health', null)).json).toEqual({ status: 'ok', time: expect.any(String) });
    const reply = await call('GET', '/v1/-/health', one.key);
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ status: 'ok', schema_version: 1 });
    expect((await call('GET', '/v1/-/health', 'junk')).status).toBe(401);
  });

  it('creates, reads, lists, changes and deletes a record', async () => {
    const created = await call('POST', '/v1/-/users', one.key, { username: 'ann', email: 'ann@example.org' });
    expect(created.json).toMatchObject({ id: 1, username: 'ann', bio: null });
    expect(created.status).toBe(201);
    expect((await call('GET', '/v1/-/users/1', one.key)).json).toMatchObject({ username: 'ann' });
    expect((await call('GET', '/v1/-/users?username=ann', one.key)).json).toHaveLength(1);
    expect((await call('PUT', '/v1/-/users/1', one.key, { bio: 'hello' })).json).toMatchObject({ bio: 'hello', username: 'ann' });
    expect((await call('DELETE', '/v1/-/users/1', one.key)).status).toBe(204);
    expect((await call('GET', '/v1/-/users/1', one.key)).status).toBe(404);
  });
});

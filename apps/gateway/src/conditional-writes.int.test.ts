import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, type Reply } from '../test/http-call.js';
import { createTestCell, type TestCell, type TestGateway, type TestTenant } from '../test/test-cell.js';

const servers = getTestServers();
const ODD = `CREATE TABLE odd (id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, f float NULL, d decimal(20,5) NULL, t timestamp(3) NULL DEFAULT CURRENT_TIMESTAMP(3),
  b varbinary(8) NULL, j json NULL, e enum('a','b') NULL, p point NULL, bits bit(9) NULL, twice decimal(21,5) GENERATED ALWAYS AS (d * 2) VIRTUAL)`;

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))('versions of records on %s', (_name, engine) => {
  let cell: TestCell;
  let gateway: TestGateway;
  let tenant: TestTenant;

  beforeAll(async () => {
    cell = await createTestCell(engine, servers.redisUrl);
    tenant = await cell.addTenant();
    await cell.deploy(tenant, [ODD]);
    gateway = await cell.startGateway();
  });

  afterAll(() => cell.stop());

  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}, key = tenant.key): Promise<Reply> =>
    callGateway(gateway.url, method, `/v1/-${path}`, { key, headers, ...(body === undefined ? {} : { body }) });
  const etag = (reply: Reply): string => String(reply.headers.get('etag'));

  it('gives the same version on create, read, partial read and change', async () => {
    const created = await call('POST', '/odd', { f: 1.1, d: '1.5', b: 'AQID', j: { a: [1, 2] }, e: 'b', p: { type: 'Point', coordinates: [1, 2] }, bits: 5 });
    expect(created.status).toBe(201);
    expect(etag(created)).toMatch(/^"\d+\.[A-Za-z0-9_-]{22}"$/);
    const path = `/odd/${created.json.id}`;
    expect(etag(await call('GET', path))).toBe(etag(created));
    expect(etag(await call('GET', `${path}?_select=f`))).toBe(etag(created));
    expect(etag(await call('PUT', path, {}))).toBe(etag(created));
    expect(etag(await call('PUT', path, { p: { type: 'Point', coordinates: [1, 3] } }))).not.toBe(etag(created));
  });

  it('answers 304 to reads that have the version, and nothing else', async () => {
    const created = await call('POST', '/tags', { name: 'known' });
    const path = `/tags/${created.json.id}`;
    expect((await call('GET', path, undefined, { 'if-none-match': etag(created) })).status).toBe(304);
    expect((await call('HEAD', path, undefined, { 'if-none-match': `W/${etag(created)}` })).status).toBe(304);
    expect((await call('PUT', path, {}, { 'if-none-match': etag(created) })).status).toBe(200);
    const included = await call('GET', `${path}?include=posts`);
    expect(etag(included)).toMatch(/^"\d+\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{22}"$/);
    expect((await call('PUT', path, { name: 'known2' }, { 'if-match': etag(included) })).status).toBe(200);
    expect((await call('GET', path, undefined, { 'if-none-match': etag(created) })).status).toBe(200);
  });

  it('writes under If-Match when nobody else has, and not otherwise', async () => {
    const created = await call('POST', '/tags', { name: 'mine' });
    const path = `/tags/${created.json.id}`;
    const first = await call('PATCH', path, { description: 'one' }, { 'if-match': etag(created) });
    expect(first.status).toBe(200);
    const stale = await call('PUT', path, { description: 'two' }, { 'if-match': etag(created) });
    expect([stale.status, stale.json.code]).toEqual([412, 'record.stale']);
    expect((await call('DELETE', path, undefined, { 'if-match': etag(created) })).status).toBe(412);
    expect((await call('GET', path)).json).toMatchObject({ description: 'one' });
    expect((await call('PUT', path, { description: 'x' }, { 'if-match': '*', prefer: 'tx=rollback' })).status).toBe(200);
    expect((await call('DELETE', path, undefined, { 'if-match': etag(first) })).status).toBe(204);
    expect((await call('PUT', path, {}, { 'if-match': '*' })).status).toBe(404);
  });

  it('sees changes of columns that the key may not see', async () => {
    const { secret } = await cell.addKey(tenant, { tables: { tags: ['write', 'read'] } });
    const created = await call('POST', '/tags', { name: 'shared' }, {}, secret);
    await cell.root.run(`UPDATE ${tenant.schemaName}.tags SET description = 'from outside' WHERE id = ${created.json.id}`);
    expect((await call('PUT', `/tags/${created.json.id}`, { name: 'x' }, { 'if-match': etag(created) }, secret)).status).toBe(412);
    const { secret: blind } = await cell.addKey(tenant, { tables: { tags: ['write'] } });
    expect((await call('PUT', `/tags/${created.json.id}`, { name: 'x' }, { 'if-match': '*' }, blind)).json).toMatchObject({ code: 'auth.scope' });
  });

  it('lets one of two writers with the same version through, and loses no increment', async () => {
    const { json } = await call('POST', '/odd', { d: '0' });
    const path = `/odd/${json.id}`;
    let refusals = 0;
    const increment = async (method: string): Promise<void> => {
      for (;;) {
        const read = await call('GET', path);
        const reply = await call(method, path, { d: Number(read.json.d) + 1 }, { 'if-match': etag(read) });
        if (reply.status === 200) return;
        expect([412, 503]).toContain(reply.status);
        if (reply.status === 412) refusals += 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, async (_, at) => {
      for (let turn = 0; turn < 5; turn += 1) await increment(at % 2 === 0 ? 'PUT' : 'PATCH');
    }));
    expect((await call('GET', path)).json.d).toBe(40);
    expect(refusals).toBeGreaterThan(0);
  });

  it('keeps versions over a new column, and only over that', async () => {
    const kept = await call('POST', '/tags', { name: 'kept' });
    const other = await call('POST', '/tags', { name: 'other' });
    await cell.deploy(tenant, ['ALTER TABLE tags ADD COLUMN colour varchar(20) NOT NULL DEFAULT "red" AFTER id']);
    await expect.poll(async () => (await call('GET', `/tags/${kept.json.id}`)).json.colour).toBe('red');
    expect((await call('PUT', `/tags/${kept.json.id}`, { description: 'x' }, { 'if-match': etag(kept) })).status).toBe(200);
    expect((await call('PUT', `/tags/${kept.json.id}`, { description: 'x' }, { 'if-match': etag(kept) })).status).toBe(412);
    await cell.deploy(tenant, ['ALTER TABLE tags DROP COLUMN description']);
    await expect.poll(async () => Object.keys((await call('GET', `/tags/${kept.json.id}`)).json)).not.toContain('description');
    expect((await call('DELETE', `/tags/${other.json.id}`, undefined, { 'if-match': etag(other) })).status).toBe(412);
  });
});

import { connect, type Socket } from 'node:net';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, type Reply } from '../test/http-call.js';
import { createTestCell, type TestCell, type TestGateway, type TestTenant } from '../test/test-cell.js';

const servers = getTestServers();
const MIB = 1024 * 1024;

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))('large answers of queries on %s', (_name, engine) => {
  let cell: TestCell;
  let gateway: TestGateway;
  let tenant: TestTenant;
  let other: TestTenant;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    cell = await createTestCell(engine, servers.redisUrl);
    const rows = [`INSERT INTO users (id, username, email) VALUES ${Array.from({ length: 8 }, (_, index) => `(${index + 1}, 'u${index}', 'u${index}@example.org')`).join(', ')}`];
    tenant = await cell.addTenant({ rows });
    other = await cell.addTenant({ rows });
    gateway = await cell.startGateway();
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await cell.stop();
  });

  /** 40 rows of a megabyte each. */
  const LARGE = `SELECT REPEAT('x', ${MIB}) AS t FROM users a CROSS JOIN users b LIMIT 40`;
  const query = (sql: string, key = tenant.key): Promise<Reply> => callGateway(gateway.url, 'POST', '/v1/-/query', { key, body: { query: sql } });

  /** Reads the head of the answer and nothing more, so that the rest stays with the gateway. */
  async function askAndStall(key: string): Promise<Socket> {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    const body = JSON.stringify({ query: LARGE });
    socket.write(`POST /v1/-/query HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    const head = await new Promise<string>((resolve) => {
      socket.once('data', (part: Buffer) => {
        socket.pause();
        resolve(part.toString('latin1', 0, 100));
      });
    });
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    return socket;
  }

  it('have a bound together, which leaves small ones and other tenants alone, and is free again when they are gone', async () => {
    const stalled = [await askAndStall(tenant.key), await askAndStall(tenant.key)];
    const refused = await query(LARGE);
    expect([refused.status, refused.json]).toMatchObject([429, { code: 'limit.concurrency' }]);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await query('SELECT COUNT(*) AS n FROM users')).json).toEqual([{ n: 8 }]);
    expect((await query(LARGE, other.key)).status).toBe(200);
    for (const socket of stalled) socket.destroy();
    await expect.poll(async () => (await query(LARGE)).status).toBe(200);
  }, 60_000);
});

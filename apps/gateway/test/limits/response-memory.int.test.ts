import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const servers = getTestServers();
const MIB = 1024 * 1024;

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'large query responses on %s',
  (_name, engine) => {
    let cell: TestCell;
    let gateway: TestGateway;
    let tenant: TestTenant;
    let other: TestTenant;
    const sockets: Socket[] = [];

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      const rows = [
        `INSERT INTO users (id, username, email) VALUES ${Array.from({ length: 8 }, (_, index) => `(${index + 1}, 'u${index}', 'u${index}@example.org')`).join(', ')}`,
      ];
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
    const query = (sql: string, key = tenant.key): Promise<TestResponse> =>
      callGateway(gateway.url, 'POST', '/v1/-/query', { key, body: { query: sql } });

    const queryRequest = (key: string): string => {
      const body = JSON.stringify({ query: LARGE });
      return `POST /v1/-/query HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    };

    /** Reads only the head of the response, so that the rest stays in the gateway. */
    async function askAndStall(key: string, request = queryRequest(key)): Promise<Socket> {
      const { hostname, port } = new URL(gateway.url);
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      socket.write(request);
      const head = await new Promise<string>((resolve) => {
        socket.once('data', (part: Buffer) => {
          socket.pause();
          resolve(part.toString('latin1', 0, 100));
        });
      });
      expect(head).toMatch(/^HTTP\/1\.1 200 /);
      return socket;
    }

    it('large query responses share a limit without affecting small ones or other tenants', async () => {
      const stalled = [await askAndStall(tenant.key), await askAndStall(tenant.key)];
      const rejected = await query(LARGE);
      expect([rejected.status, rejected.json]).toMatchObject([429, { code: 'limit.concurrency' }]);
      expect(rejected.headers.get('retry-after')).toBe('1');
      expect((await query('SELECT COUNT(*) AS n FROM users')).json).toEqual([{ n: 8 }]);
      expect((await query(LARGE, other.key)).status).toBe(200);
      for (const socket of stalled) socket.destroy();
      await expect.poll(async () => (await query(LARGE)).status).toBe(200);
    }, 60_000);

    it('large lists of each tenant keep their own content, although responses reuse the same memory', async () => {
      const textOf = (who: TestTenant): string => (who === tenant ? 'ä'.repeat(10_000) : 'b'.repeat(20_000));
      for (const who of [tenant, other]) {
        const posts = Array.from({ length: 150 }, (_, index) => ({
          title: `p${index}`,
          content: textOf(who),
          user_id: 1 + (index % 8),
        }));
        for (const from of [0, 75])
          expect(
            (
              await callGateway(gateway.url, 'POST', '/v1/-/posts', {
                key: who.key,
                body: posts.slice(from, from + 75),
              })
            ).status,
          ).toBe(201);
      }
      const check = (
        posts: { content: string; user?: { id: number } }[],
        who: TestTenant,
        isWithUser: boolean,
      ): void => {
        expect(posts).toHaveLength(150);
        expect(
          posts.every(
            ({ content, user }, row) =>
              content === textOf(who) && (!isWithUser || user?.id === 1 + (row % 8)),
          ),
        ).toBe(true);
      };
      for (const path of ['/v1/-/posts?limit=1000', '/v1/-/posts?limit=1000&include=user']) {
        const request = (connection: string): string =>
          `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\nAuthorization: Bearer ${tenant.key}\r\n\r\n`;
        // The responses are larger than the system's buffers for a connection, so most of their bytes wait in
        // the gateway.
        const slow = await askAndStall(tenant.key, `${request('keep-alive').repeat(4)}${request('close')}`);
        for (let iteration = 0; iteration < 4; iteration += 1)
          check(
            (await callGateway(gateway.url, 'GET', path, { key: other.key })).json as never,
            other,
            path.includes('include'),
          );
        const parts: Buffer[] = [];
        slow.on('data', (part: Buffer) => parts.push(part)).resume();
        await once(slow, 'end');
        const text = Buffer.concat(parts).toString('utf8');
        // The first piece was read together with the head.
        expect(text.includes('b'.repeat(20))).toBe(false);
        expect(text.endsWith(']')).toBe(true);
      }
    }, 60_000);
  },
);

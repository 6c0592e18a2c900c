import http from 'node:http';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayProcess } from '../test/gateway-process.js';
import { createTestCell, type TestCell, type TestTenant } from '../test/test-cell.js';

const servers = getTestServers();

describe('a gateway that is told to stop', () => {
  let cell: TestCell;
  let tenant: TestTenant;
  let gateway: GatewayProcess;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  beforeAll(async () => {
    cell = await createTestCell(servers.mysql, servers.redisUrl);
    tenant = await cell.addTenant();
    gateway = await cell.startGatewayProcess('test', { GATEWAY_DRAIN_NOTICE_MS: '1500', GATEWAY_DRAIN_MS: '3000' });
  });
  afterAll(async () => {
    agent.destroy();
    await cell.stop();
  });

  /** The status, and whether the connection is closed by the answer. */
  const read = (url: string): Promise<[number, string | undefined]> => new Promise((resolve, reject) => {
    const req = http.get(`${url}/v1/-/tags`, { agent, headers: { Authorization: `Bearer ${tenant.key}` } }, (res) => {
      res.resume();
      res.once('end', () => resolve([res.statusCode ?? 0, res.headers.connection]));
    });
    req.once('error', reject);
  });
  const readiness = async (): Promise<number> => (await fetch(`${gateway.opsUrl}/readyz`)).status;

  it('says so, serves on, lets everybody go with an answer, and ends by itself', async () => {
    const { url } = gateway;
    expect(await read(url)).toEqual([200, 'keep-alive']);
    expect(await readiness()).toBe(200);
    await cell.root.run(`LOCK TABLES ${tenant.schemaName}.tags WRITE`);
    const ended = gateway.terminate();
    await expect.poll(readiness).toBe(503);
    // On the connection that was open, and on a new one; the table is held until nothing new is taken any more.
    const held = read(url);
    await expect.poll(() => fetch(`${url}/v1/-/health`).then(() => 'open', () => 'closed'), { timeout: 5_000 }).toBe('closed');
    await cell.root.run('UNLOCK TABLES');
    expect(await held).toEqual([200, 'close']);
    expect(await ended).toBe(0);
  });
});

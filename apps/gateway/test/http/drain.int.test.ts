import http from 'node:http';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayProcess } from '../support/gateway-process.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const servers = getTestServers();

describe('a stopping gateway', () => {
  let cell: TestCell;
  let tenant: TestTenant;
  let gateway: GatewayProcess;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  beforeAll(async () => {
    cell = await createTestCell(servers.mysql, servers.redisUrl);
    tenant = await cell.addTenant();
    gateway = await cell.startGatewayProcess('test', {
      GATEWAY_DRAIN_NOTICE_MS: '1500',
      GATEWAY_DRAIN_MS: '3000',
    });
  });
  afterAll(async () => {
    agent.destroy();
    await cell.stop();
  });

  /** Resolves with the status and the Connection header. */
  const read = (url: string): Promise<[number, string | undefined]> =>
    new Promise((resolve, reject) => {
      const req = http.get(
        `${url}/v1/-/tags`,
        { agent, headers: { Authorization: `Bearer ${tenant.key}` } },
        (res) => {
          res.resume();
          res.once('end', () => resolve([res.statusCode ?? 0, res.headers.connection]));
        },
      );
      req.once('error', reject);
    });
  const readiness = async (): Promise<number> => (await fetch(`${gateway.opsUrl}/readyz`)).status;

  it('a stopping gateway reports as not ready, serves its last requests and exits', async () => {
    const { url } = gateway;
    expect(await read(url)).toEqual([200, 'keep-alive']);
    expect(await readiness()).toBe(200);
    await cell.root.run(`LOCK TABLES ${tenant.schemaName}.tags WRITE`);
    const ended = gateway.terminate();
    await expect.poll(readiness).toBe(503);
    // Sends one request on the open connection and one on a new connection. The table stays locked until the
    // gateway accepts no new connections.
    const held = read(url);
    await expect
      .poll(
        () =>
          fetch(`${url}/v1/-/health`).then(
            () => 'open',
            () => 'closed',
          ),
        { timeout: 5_000 },
      )
      .toBe('closed');
    await cell.root.run('UNLOCK TABLES');
    expect(await held).toEqual([200, 'close']);
    expect(await ended).toBe(0);
  });
});

import { createServerLeases } from '@rowhouse/platform-store';
import { getTestServers, listEnginesOnce } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const servers = getTestServers();

describe.each(listEnginesOnce().map((engine) => [engine.engine, engine] as const))(
  'shared connections of gateways on %s',
  (_name, engine) => {
    let cell: TestCell;
    let tenant: TestTenant;
    let serverId: string;

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      tenant = await cell.addTenant();
      const [row] = await cell.pool.rows<{ id: string }>('SELECT id FROM server WHERE cell_id = ?', [
        cell.cellId,
      ]);
      serverId = String(row?.id);
      await cell.pool.run('UPDATE server SET connections_max = 20 WHERE id = ?', [serverId]);
    });

    afterAll(() => cell.stop());

    const leasesOf = (holder: string) => createServerLeases(cell.pool, { cellId: cell.cellId, holder });
    const leased = async (): Promise<number> => {
      const [row] = await cell.pool.rows<{ n: number }>(
        "SELECT COALESCE(SUM(connections), 0) AS n FROM server_lease WHERE cell_id = ? AND role = 'gateway' AND expires_at > UTC_TIMESTAMP(3)",
        [cell.cellId],
      );
      return Number(row?.n);
    };

    it("connection leases never exceed the server's limit for any number of gateways", async () => {
      for (let round = 0; round < 4; round += 1) {
        const granted = await Promise.all(
          Array.from({ length: 8 }, (_, index) => leasesOf(`gw_${index}`).lease(serverId, 6, 60_000)),
        );
        expect(granted.every((item) => item <= 6)).toBe(true);
        expect(await leased()).toBeLessThanOrEqual(20);
      }
      expect(await leased()).toBe(20);
      expect(await leasesOf('gw_late').lease(serverId, 5, 60_000)).toBe(0);
      // A single gateway may have requested its lease too late to get a connection.
      for (let index = 0; index < 7; index += 1) await leasesOf(`gw_${index}`).releaseAll();
      expect(await leasesOf('gw_late').lease(serverId, 5, 60_000)).toBeGreaterThan(0);
    });

    it('the connection lease of a dead gateway is free after it expires', async () => {
      await cell.pool.run(
        "UPDATE server_lease SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE cell_id = ? AND role = 'gateway'",
        [cell.cellId],
      );
      expect(await leasesOf('gw_next').lease(serverId, 15, 60_000)).toBe(10);
      expect(await leasesOf('gw_next').lease(serverId, 15, 60_000)).toBe(15);
      expect(await leasesOf('gw_other').lease(serverId, 30, 60_000)).toBe(3);
      expect(await leasesOf('gw_next').lease(serverId, 3, 60_000)).toBe(3);
      expect(await leasesOf('gw_other').lease(serverId, 30, 60_000)).toBe(10);
      await cell.pool.run("DELETE FROM server_lease WHERE cell_id = ? AND role = 'gateway'", [cell.cellId]);
    });

    it.each([false, true])(
      'a database gets more connections for single writes unless they share transactions: %s',
      async (writesTogether) => {
        const gateway = await cell.startGateway({
          serverConnectionsFloor: 16,
          serverConnectionsMax: 16,
          writesTogether,
        });
        const open = (): number => gateway.running.services.pools.stats()[0]?.open ?? 0;
        let createdCount = 0;
        const write = () =>
          callGateway(gateway.url, 'POST', '/v1/-/tags', {
            key: tenant.key,
            body: { name: `tag ${writesTogether} ${(createdCount += 1)}` },
          });
        const read = () =>
          callGateway(gateway.url, 'GET', '/v1/-/tags?_aggregate=count', { key: tenant.key });
        const callAll = async (call: typeof read) => {
          const responses = await Promise.all(Array.from({ length: 30 }, call));
          expect(new Set(responses.map(({ status }) => status))).toEqual(
            new Set([call === write ? 201 : 200]),
          );
          return open();
        };
        expect(await callAll(read)).toBeLessThanOrEqual(4);
        if (writesTogether && engine.engine === 'mariadb')
          expect(await callAll(write)).toBeLessThanOrEqual(5);
        else await expect.poll(() => callAll(write), { timeout: 10_000 }).toBeGreaterThan(4);
        expect(await callAll(write)).toBeLessThanOrEqual(10);
        await gateway.stop();
      },
    );

    it("a gateway's connection lease grows on demand and is released at shutdown", async () => {
      const gateways: TestGateway[] = [];
      for (let index = 0; index < 2; index += 1)
        gateways.push(
          await cell.startGateway({
            serverConnectionsFloor: 1,
            serverConnectionsMax: 30,
            tenantConnectionsMax: 16,
          }),
        );
      const limits = (): number[] =>
        gateways.map((gateway) => gateway.running.services.pools.stats()[0]?.limit ?? 0);
      await expect
        .poll(
          async () => {
            const responses = await Promise.all(
              gateways.flatMap((gateway) =>
                Array.from({ length: 40 }, () =>
                  callGateway(gateway.url, 'GET', '/v1/-/users?limit=1', { key: tenant.key }),
                ),
              ),
            );
            expect(responses.map((response) => response.status)).toEqual(responses.map(() => 200));
            return limits().every((limit) => limit > 1);
          },
          { timeout: 10_000 },
        )
        .toBe(true);
      expect(await leased()).toBeLessThanOrEqual(20);
      for (const gateway of gateways)
        expect(gateway.running.services.pools.stats()[0]?.open).toBeLessThanOrEqual(17);
      for (const gateway of gateways) await gateway.stop();
      expect(await leased()).toBe(0);
    });
  },
);

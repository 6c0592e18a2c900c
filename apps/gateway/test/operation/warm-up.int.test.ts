import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway } from '../support/http-call.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

describe('a starting gateway', () => {
  const servers = getTestServers();
  let cell: TestCell;
  let busy: TestTenant;
  let quiet: TestTenant;
  let removed: TestTenant;

  beforeAll(async () => {
    cell = await createTestCell(servers.mysql, servers.redisUrl);
    [busy, quiet, removed] = [await cell.addTenant(), await cell.addTenant(), await cell.addTenant()];
    const minutes = [
      [busy, 1, 500],
      [removed, 1, 900],
      [quiet, 60, 9_000],
    ] as const;
    for (const [tenant, minutesAgo, requests] of minutes) {
      await cell.pool.run(
        'INSERT INTO usage_minute (cell_id, database_id, minute, requests) VALUES (?, ?, UTC_TIMESTAMP() - INTERVAL ? MINUTE, ?)',
        [cell.cellId, tenant.databaseId, minutesAgo, requests],
      );
    }
    await cell.pool.run('UPDATE api_key SET last_used_at = UTC_TIMESTAMP(3)');
    await cell.pool.run('UPDATE tenant_database SET deleted_at = UTC_TIMESTAMP(3) WHERE id = ?', [
      removed.databaseId,
    ]);
  });

  afterAll(() => cell.stop());

  it('a gateway is ready after it has loaded the busiest databases and their keys', async () => {
    const gateway = await cell.startGateway();
    await gateway.running.warmedUp;
    expect(gateway.running.readiness()).toEqual({});
    expect(gateway.running.services.tenants.size()).toEqual({ keys: 1, databases: 1 });
    expect((await callGateway(gateway.url, 'GET', '/v1/-/users', { key: busy.key })).status).toBe(200);
    expect(gateway.running.services.tenants.size()).toEqual({ keys: 1, databases: 1 });
    // Other databases are loaded when they are requested.
    expect((await callGateway(gateway.url, 'GET', '/v1/-/users', { key: quiet.key })).status).toBe(200);
    expect((await callGateway(gateway.url, 'GET', '/v1/-/users', { key: removed.key })).status).toBe(401);
    await gateway.stop();
  });

  it('a starting gateway ignores warm-up records that changed after they were read', async () => {
    const gateway = await cell.startGateway();
    await gateway.running.warmedUp;
    const [row] = await cell.pool.rows<{ id: string }>('SELECT id FROM api_key WHERE database_id = ?', [
      busy.databaseId,
    ]);
    await cell.revoke(String(row?.id));
    await expect
      .poll(async () => (await callGateway(gateway.url, 'GET', '/v1/-/users', { key: busy.key })).status)
      .toBe(401);
    await gateway.stop();
  });

  it('a gateway starts when no database was busy', async () => {
    await cell.pool.run('DELETE FROM usage_minute WHERE cell_id = ?', [cell.cellId]);
    const gateway = await cell.startGateway();
    await gateway.running.warmedUp;
    expect(gateway.running.readiness()).toEqual({});
    expect(gateway.running.services.tenants.size()).toEqual({ keys: 0, databases: 0 });
    await gateway.stop();
  });
});

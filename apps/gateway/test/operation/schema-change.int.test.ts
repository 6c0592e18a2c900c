import { setTimeout as pause } from 'node:timers/promises';
import { DEFAULT_DATABASE_SETTINGS } from '@rowhouse/contracts';
import { introspectSchema, openAdminConnection } from '@rowhouse/mysql';
import { prepareSnapshot } from '@rowhouse/platform-store';
import { createId } from '@rowhouse/runtime';
import { nameSnapshot } from '@rowhouse/schema-model';
import { encodeSnapshot } from '@rowhouse/snapshot-store';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, callUntil, type TestResponse } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const servers = getTestServers();

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'calls during a schema change by the platform, on %s',
  (_name, engine) => {
    let cell: TestCell;
    let gateway: TestGateway;
    let tenant: TestTenant;
    let migrationId: string;

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      tenant = await cell.addTenant();
      gateway = await cell.startGateway();
      migrationId = createId('mig');
      await cell.pool.run(
        `INSERT INTO migration (id, cell_id, project_id, database_id, server_id, revision, state, base_number, plan, plan_hash, target_hash, lease_owner, fencing_token, created_by, created_at)
       VALUES (?, ?, 'prj_x', ?, 'srv_x', 1, 'cutting_over', 1, '{}', '', '', 'wrk_x', 1, 'acc_x', UTC_TIMESTAMP(3))`,
        [migrationId, cell.cellId, tenant.databaseId],
      );
    });
    afterAll(() => cell.stop());

    const call = (method: string, path: string, body?: unknown): Promise<TestResponse> =>
      callGateway(gateway.url, method, path, { key: tenant.key, ...(body === undefined ? {} : { body }) });
    const alter = (sql: string): Promise<unknown> =>
      cell.root.run(sql.replaceAll('db.', `${tenant.schemaName}.`));

    const setState = (state: string): Promise<unknown> =>
      cell.pool.run('UPDATE migration SET state = ? WHERE id = ?', [state, migrationId]);

    /**
     * Publishes the schema that results from `sql` ahead of the change, like a worker. The schema itself is
     * unchanged.
     */
    async function prepare(sql: string, back: string): Promise<void> {
      await alter(sql);
      const connection = await openAdminConnection({ ...engine, database: tenant.schemaName });
      const tables = await introspectSchema(connection, tenant.schemaName, engine.engine);
      await connection.close();
      await alter(back);
      const { contentHash, body } = await encodeSnapshot(
        nameSnapshot({ engine: engine.engine, tables }, null),
      );
      await prepareSnapshot(cell.pool, cell.cellId, {
        databaseId: tenant.databaseId,
        contentHash,
        body,
        migration: { id: migrationId, owner: 'wrk_x', fencingToken: 1 },
      });
    }

    it('a request with outdated names is planned on the prepared schema', async () => {
      expect((await call('POST', '/v1/-/tags', { name: 'one', description: 'first' })).status).toBe(201);
      await prepare(
        'ALTER TABLE db.tags RENAME COLUMN description TO about',
        'ALTER TABLE db.tags RENAME COLUMN about TO description',
      );
      expect((await call('GET', '/v1/-/tags')).json[0]).toHaveProperty('description');
      await alter('ALTER TABLE db.tags RENAME COLUMN description TO about');
      expect((await call('GET', '/v1/-/tags')).json).toMatchObject([{ name: 'one', about: 'first' }]);
      expect((await call('POST', '/v1/-/tags', { name: 'two' })).json).toMatchObject({
        name: 'two',
        about: null,
      });
      expect(
        await cell.pool.rows('SELECT 1 FROM detect_request WHERE database_id = ?', [tenant.databaseId]),
      ).toEqual([]);
      await setState('published');
      await cell.publish(tenant);
      await setState('cutting_over');
      await callUntil(
        () => call('PUT', '/v1/-/tags/1', { about: 'second' }),
        (response) => response.status === 200,
        2_000,
      );
      expect((await call('GET', '/v1/-/tags/1')).json).toMatchObject({ about: 'second' });
    });

    it('an update whose record cannot be read back is not run again', async () => {
      await alter('ALTER TABLE db.tags ADD COLUMN hits int NOT NULL DEFAULT 0');
      await setState('published');
      await cell.publish(tenant);
      await callUntil(
        () => call('GET', '/v1/-/tags/1'),
        (response) => response.json.hits === 0,
        2_000,
      );
      // The change itself only names the column `hits`. Reading the record back also names `about`, which was
      // renamed.
      await alter('ALTER TABLE db.tags RENAME COLUMN about TO subject');
      const counted = call('PATCH', '/v1/-/tags/1', { hits: { $inc: 1 } });
      await expect
        .poll(() => cell.root.rows(`SELECT hits FROM ${tenant.schemaName}.tags WHERE id = 1`))
        .toEqual([{ hits: 1 }]);
      await cell.publish(tenant);
      expect(await counted).toMatchObject({ status: 200, json: { id: 1, hits: 1, subject: 'second' } });
      expect(await cell.root.rows(`SELECT hits FROM ${tenant.schemaName}.tags WHERE id = 1`)).toEqual([
        { hits: 1 },
      ]);
      await setState('cutting_over');
    });

    it('an update is reported as committed if its table is renamed afterwards', async () => {
      await setState('published');
      await alter('ALTER TABLE db.tags RENAME COLUMN subject TO topic');
      const counted = call('PATCH', '/v1/-/tags/1', { hits: { $inc: 1 } });
      await expect
        .poll(() => cell.root.rows(`SELECT hits FROM ${tenant.schemaName}.tags WHERE id = 1`))
        .toEqual([{ hits: 2 }]);
      await alter('RENAME TABLE db.tags TO db.labels');
      await cell.publish(tenant);
      expect(await counted).toMatchObject({
        status: 404,
        json: {
          code: 'table.not_found',
          detail: expect.stringMatching(/^The change was committed, but its result could not be read. /),
        },
      });
      await alter('RENAME TABLE db.labels TO db.tags');
      await cell.publish(tenant);
      await callUntil(
        () => call('GET', '/v1/-/tags/1'),
        (response) => response.json.hits === 2,
        2_000,
      );
      await setState('cutting_over');
    });

    it('a data request succeeds while its table is swapped with a rebuilt one', async () => {
      await alter('RENAME TABLE db.tags TO db.`_rh_away`');
      const listed = call('GET', '/v1/-/tags');
      const created = call('POST', '/v1/-/tags', { name: 'three' });
      await pause(40);
      await alter('RENAME TABLE db.`_rh_away` TO db.tags');
      expect((await listed).status).toBe(200);
      expect((await created).status).toBe(201);
    });

    it('a view that is broken in the newest snapshot gets schema.broken_object', async () => {
      await alter('RENAME TABLE db.tags TO db.`_rh_away`');
      expect((await call('GET', '/v1/-/tags')).json).toMatchObject({ code: 'schema.broken_object' });
      await alter('RENAME TABLE db.`_rh_away` TO db.tags');
    });

    it('a column that is hidden during a request is not returned under a new name', async () => {
      const other = await cell.addTenant();
      const send = (method: string, path: string, body?: unknown): Promise<TestResponse> =>
        callGateway(gateway.url, method, path, { key: other.key, ...(body === undefined ? {} : { body }) });
      expect((await send('POST', '/v1/-/tags', { name: 'one', description: 'first' })).status).toBe(201);
      const holder = await openAdminConnection({ ...engine, database: other.schemaName });
      await holder.run('LOCK TABLES tags WRITE');
      const testResponse = send('GET', '/v1/-/tags/1');
      await pause(100);
      await cell.pool.run('UPDATE tenant_database SET settings = ?, version = version + 1 WHERE id = ?', [
        JSON.stringify({ ...DEFAULT_DATABASE_SETTINGS, hidden_columns: { tags: ['description', 'about'] } }),
        other.databaseId,
      ]);
      await cell.change(other.databaseId, 'settings');
      await pause(100);
      await holder.run('ALTER TABLE tags RENAME COLUMN description TO about');
      await holder.close();
      await cell.publish(other);
      expect([(await testResponse).status, (await testResponse).json]).toEqual([200, { id: 1, name: 'one' }]);
    });
  },
);

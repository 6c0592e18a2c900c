import { columnValuesKey } from '@rowhouse/contracts';
import { connectRedis } from '@rowhouse/queue';
import { getTestServers, listEnginesOnce } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, callUntil, type TestResponse } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const servers = getTestServers();
const DDL = [
  `CREATE TABLE orders (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, progress varchar(20) NOT NULL, town varchar(40) NOT NULL)`,
  `CREATE TABLE users (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, name varchar(20) NOT NULL)`,
];
const ROWS = [
  `INSERT INTO orders (progress, town) VALUES ('shipped', 'Lisbon'), ('shipped', 'Oslo'), ('paid', 'Oslo')`,
  `INSERT INTO users (name) VALUES ('zorro')`,
];
const VALUES = {
  orders: { progress: ['paid', 'shipped'], town: ['Lisbon', 'Oslo'] },
  users: { name: ['zorro'] },
};

describe.each(listEnginesOnce().map((engine) => [engine.engine, engine] as const))(
  'values and synonyms in questions on %s',
  (_name, engine) => {
    let cell: TestCell;
    let gateways: TestGateway[];

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      gateways = [await cell.startGateway(), await cell.startGateway()];
    });

    afterAll(() => cell.stop());

    const sendRequest = (question: string, key: string, gateway = gateways[0]): Promise<TestResponse> =>
      callGateway(gateway?.url ?? '', 'POST', '/v1/-/query', {
        key,
        body: { query: question, verbose: true },
      });
    const isAnswered = (response: TestResponse): boolean => response.status === 200;

    /** Creates a tenant with an index, as a worker leaves it. */
    async function addTenant(values: object = VALUES): Promise<TestTenant> {
      const tenant = await cell.addTenant({ ddl: DDL, rows: ROWS });
      await writeIndex(tenant, values);
      return tenant;
    }

    async function writeIndex(tenant: TestTenant, values: object, version = 1): Promise<void> {
      const table = `\`${tenant.schemaName}s\`.value_index`;
      await cell.root.run(`DELETE FROM ${table}`);
      for (const [name, columns] of Object.entries(values)) {
        for (const [column, items] of Object.entries(columns as object))
          await cell.root.run(`INSERT INTO ${table} VALUES (?, ?, 'indexed', ?)`, [
            name,
            column,
            JSON.stringify(items),
          ]);
      }
      await cell.pool.run(
        'INSERT INTO value_index (database_id, cell_id, version, checked_at) VALUES (?, ?, ?, UTC_TIMESTAMP(3)) ON DUPLICATE KEY UPDATE version = VALUES(version)',
        [tenant.databaseId, cell.cellId, version],
      );
    }

    async function addSynonym(tenant: TestTenant, phrase: string, table: string, column = ''): Promise<void> {
      const [row] = await cell.pool.rows<{ project_id: string }>(
        'SELECT project_id FROM tenant_database WHERE id = ?',
        [tenant.databaseId],
      );
      await cell.pool.run(
        `INSERT INTO synonym (id, cell_id, project_id, phrase, table_name, column_name, created_by, created_at) VALUES (UUID(), ?, ?, ?, ?, ?, 'acc', UTC_TIMESTAMP(3))`,
        [cell.cellId, String(row?.project_id), phrase, table, column],
      );
    }

    it('a stored value in a question determines the column to filter', async () => {
      const tenant = await addTenant();
      expect((await sendRequest('how many orders are shipped', tenant.key)).json).toMatchObject({
        data: [{ count: 2 }],
        params: ['shipped'],
        source: 'rules',
      });
      expect((await sendRequest('orders from Lisbon', tenant.key)).json.data).toHaveLength(1);
      expect((await sendRequest('how many orders are from Atlantis', tenant.key)).json).toMatchObject({
        code: 'query.not_understood',
        unknown: ['Atlantis'],
      });
    });

    it('a question to a database without tables gets an error that says what is missing', async () => {
      const tenant = await cell.addTenant({ ddl: [], rows: [] });
      expect((await sendRequest('how many orders are shipped', tenant.key)).json).toMatchObject({
        code: 'query.not_understood',
        detail: [{ msg: expect.stringContaining('no tables') as string }],
        hint: expect.stringContaining('Create a table first') as string,
        unknown: [],
      });
    });

    it('a question finds no value of another tenant', async () => {
      const [own, other] = [await addTenant(), await addTenant({ orders: { town: ['Lisbon'] } })];
      expect((await sendRequest('how many orders are shipped', own.key)).status).toBe(200);
      expect((await sendRequest('how many orders are shipped', other.key)).json).toMatchObject({
        code: 'query.not_understood',
      });
    });

    it('questions find values only of columns that the key may read', async () => {
      const tenant = await addTenant();
      const narrow = await cell.addKey(tenant, { tables: { users: ['read'] } });
      expect((await sendRequest('users named zorro', tenant.key)).status).toBe(200);
      for (const question of ['how many orders are shipped', 'shipped', 'users from Lisbon']) {
        const response = await sendRequest(question, narrow.secret);
        expect([
          question,
          response.status,
          response.text.includes('progress') || response.text.includes('town'),
        ]).toEqual([question, 422, false]);
      }
      for (const settings of [
        { hidden_columns: { orders: ['progress'] } },
        { unindexed_columns: { orders: ['progress'] } },
      ]) {
        expect((await sendRequest('how many orders are shipped', tenant.key)).status).toBe(200);
        await cell.pool.run('UPDATE tenant_database SET settings = ? WHERE id = ?', [
          JSON.stringify(settings),
          tenant.databaseId,
        ]);
        await cell.change(tenant.databaseId, 'settings');
        // The index still contains the values, because no worker runs here.
        expect(
          (
            await callUntil(
              () => sendRequest('how many orders are shipped', tenant.key),
              (response) => !isAnswered(response),
              1_000,
            )
          ).json,
        ).toMatchObject({ code: 'query.not_understood' });
        expect((await sendRequest('how many orders are from Oslo', tenant.key)).json).toMatchObject({
          data: [{ count: 2 }],
        });
        await cell.pool.run(`UPDATE tenant_database SET settings = '{}' WHERE id = ?`, [tenant.databaseId]);
        await cell.change(tenant.databaseId, 'settings');
        await callUntil(() => sendRequest('how many orders are shipped', tenant.key), isAnswered, 1_000);
      }
    });

    it('a changed synonym applies on every gateway within a second without a message', async () => {
      const tenant = await addTenant();
      for (const [phrase, announce] of [
        ['parcels', true],
        ['bundles', false],
      ] as const) {
        for (const gateway of gateways)
          expect((await sendRequest(`how many ${phrase} are there`, tenant.key, gateway)).json).toMatchObject(
            { code: 'query.not_understood' },
          );
        await addSynonym(tenant, phrase, 'orders');
        await cell.change(tenant.databaseId, 'words', { announce });
        // The change log is read once a second. The remaining time is a margin for a busy machine.
        for (const gateway of gateways)
          expect(
            (
              await callUntil(
                () => sendRequest(`how many ${phrase} are there`, tenant.key, gateway),
                isAnswered,
                5_000,
              )
            ).json,
          ).toMatchObject({ data: [{ count: 3 }] });
      }
      await addSynonym(tenant, 'municipality', 'orders', 'town');
      await cell.change(tenant.databaseId, 'words');
      expect(
        (
          await callUntil(
            () => sendRequest('number of orders per municipality', tenant.key),
            isAnswered,
            5_000,
          )
        ).json.data,
      ).toHaveLength(2);
      const other = await addTenant();
      expect((await sendRequest('how many parcels are there', other.key)).json).toMatchObject({
        code: 'query.not_understood',
      });
    });

    it('indexed values are encrypted in the shared cache', async () => {
      const tenant = await addTenant({ orders: { town: ['Lisbon'] } });
      expect((await sendRequest('how many orders are paid', tenant.key)).status).toBe(422);
      const redis = connectRedis(servers.redisUrl, 'test');
      await new Promise((resolve) => redis.once('ready', resolve));
      const readCached = (): Promise<Buffer | null> =>
        redis.getBuffer(columnValuesKey(cell.cellId, tenant.databaseId));
      await expect.poll(async () => (await readCached())?.length ?? 0).toBeGreaterThan(20);
      expect((await readCached())?.toString('latin1')).not.toContain('Lisbon');
      expect(await redis.ttl(columnValuesKey(cell.cellId, tenant.databaseId))).toBeGreaterThan(0);
      await writeIndex(tenant, VALUES, 2);
      await cell.change(tenant.databaseId, 'values');
      expect(
        (await callUntil(() => sendRequest('how many orders are paid', tenant.key), isAnswered, 5_000)).json,
      ).toMatchObject({ data: [{ count: 1 }] });
      // A cached value is used only if it was sealed for this database and this version of the index.
      for (const [index, body] of [
        Buffer.from('nonsense'),
        (await readCached()) ?? Buffer.alloc(0),
      ].entries()) {
        const other = await addTenant();
        await redis.set(columnValuesKey(cell.cellId, other.databaseId), body);
        expect((await sendRequest('how many orders are paid', other.key)).json, `${index}`).toMatchObject({
          data: [{ count: 1 }],
        });
      }
      redis.disconnect();
    });

    it('a question without a value index is answered, and building the index is requested', async () => {
      const tenant = await cell.addTenant({ ddl: DDL, rows: ROWS });
      expect((await sendRequest('how many orders are there', tenant.key)).json).toMatchObject({
        data: [{ count: 3 }],
      });
      const [row] = await cell.pool.rows<{ due: number }>(
        'SELECT due_at IS NOT NULL AS due FROM value_index WHERE database_id = ?',
        [tenant.databaseId],
      );
      expect(Number(row?.due)).toBe(1);
    });
  },
);

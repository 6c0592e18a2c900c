import { setTimeout as pause } from 'node:timers/promises';
import { getTestServers, listEnginesOnce } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayProcess } from '../support/gateway-process.js';
import { callGateway, type TestResponse } from '../support/http-call.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const servers = getTestServers();
const DDL = [
  'CREATE TABLE accounts (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, balance int NOT NULL DEFAULT 0, owed int NOT NULL DEFAULT 0)',
];
/** How long the process is suspended, in milliseconds. It is long enough for the lease to expire. */
const STILL_MS = 2_600;

describe.each(listEnginesOnce().map((engine) => [engine.engine, engine] as const))(
  'a gateway suspended during a schema change, on %s',
  (_name, engine) => {
    let cell: TestCell;
    let tenant: TestTenant;
    let gateway: GatewayProcess;

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      tenant = await cell.addTenant({ ddl: DDL });
      gateway = await cell.startGatewayProcess('test');
    });
    afterAll(() => cell.stop());

    const call = (method: string, path: string, body?: unknown): Promise<TestResponse> =>
      callGateway(gateway.url, method, path, { key: tenant.key, ...(body === undefined ? {} : { body }) });
    const alter = (sql: string): Promise<unknown> =>
      cell.root.run(`ALTER TABLE ${tenant.schemaName}.accounts ${sql}`);

    it('a gateway that resumes after a schema change uses only the new schema', async () => {
      expect((await call('POST', '/v1/-/accounts', { balance: 5, owed: 7 })).status).toBe(201);
      expect((await call('GET', '/v1/-/accounts/1')).json).toEqual({ id: 1, balance: 5, owed: 7 });
      gateway.pause();
      // The old column `owed` is now named `balance`, and `owed` is a new text column. A response by the old
      // schema would mix them up.
      await alter(
        "DROP COLUMN balance, RENAME COLUMN owed TO balance, ADD COLUMN owed varchar(20) NOT NULL DEFAULT 'nothing'",
      );
      await cell.publish(tenant);
      // These requests wait in the socket of the suspended gateway. It reads them first when it continues.
      const waiting = [
        call('GET', '/v1/-/accounts/1'),
        call('POST', '/v1/-/accounts', { balance: 1, owed: 2 }),
        call('GET', '/v1/-/accounts?include=none'),
        call('PATCH', '/v1/-/accounts/1', { owed: 'much' }),
      ];
      await pause(STILL_MS);
      gateway.resume();
      const [read, created, , patched] = await Promise.all(waiting);
      expect(read?.json).toMatchObject({ id: 1, balance: 7 });
      expect(typeof read?.json.owed).toBe('string');
      // The number is rejected, because the new column is a string. The old schema would have accepted it.
      expect([created?.status, created?.json.code]).toEqual([422, 'body.invalid']);
      expect([patched?.status, patched?.json.owed]).toEqual([200, 'much']);
      expect(await cell.root.rows(`SELECT balance FROM ${tenant.schemaName}.accounts`)).toEqual([
        { balance: 7 },
      ]);
    });
  },
);

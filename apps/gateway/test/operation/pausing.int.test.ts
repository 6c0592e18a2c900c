import { createMessageSigner } from '@rowhouse/credentials';
import {
  createMigrationJournal,
  createRequestPauses,
  LeaseLostError,
  type StartedPause,
  type ClaimedMigration,
  type RequestPauses,
} from '@rowhouse/platform-store';
import { createChangePublisher, type ChangePublisher } from '@rowhouse/queue';
import { createId } from '@rowhouse/runtime';
import { getTestServers, type TestMysql } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, callUntil, type TestResponse } from '../support/http-call.js';
import { openUpload } from '../support/send-upload.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

// This is the worker's own code. Apps do not import each other, so its build is imported as data.
const PAUSE_REQUESTS = new URL('../../../migration-worker/dist/online-ddl/pause-requests.js', import.meta.url)
  .href;
const DDL = [
  'CREATE TABLE pairs (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a varchar(40) NOT NULL, b varchar(40) NOT NULL)',
  'CREATE TABLE slow (id int NOT NULL PRIMARY KEY)',
];
const ROWS = ["INSERT INTO pairs (a, b) VALUES ('was a', 'was b')"];
/**
 * Swaps the names of two columns. The column `gen` shows whether a response comes from the new schema or the
 * old one.
 */
const SWAP = 'CHANGE a b varchar(40) NOT NULL, CHANGE b a varchar(40) NOT NULL';

type Work = () => Promise<unknown>;

/** Acts as a worker during one step of a migration of the tenant. */
interface Worker {
  readonly pauses: RequestPauses;
  readonly migration: ClaimedMigration;
  /** The reasons why requests could not be paused, one for each attempt. */
  readonly refusals: unknown[];
  pause(work: Work): Promise<unknown>;
  /** Publishes the current schema of the database. */
  publish: Work;
  /** Begins a pause of `pauseMs` and does nothing else. */
  beginPause(pauseMs: number): Promise<StartedPause | null>;
  close(): Promise<void>;
}

async function startWorker(
  { cellId, pool, masterKey, publish }: TestCell,
  tenant: TestTenant,
): Promise<Worker> {
  const { withPausedRequests } = (await import(PAUSE_REQUESTS)) as {
    withPausedRequests: (run: unknown, work: Work) => Promise<unknown>;
  };
  const publisher: ChangePublisher = createChangePublisher({
    redisUrl: getTestServers().redisUrl,
    cellId,
    signer: createMessageSigner([masterKey]),
  });
  const migration = {
    id: createId('mig'),
    databaseId: tenant.databaseId,
    fencingToken: 1,
  } as ClaimedMigration;
  await pool.run(
    `INSERT INTO migration (id, cell_id, project_id, database_id, server_id, revision, state, base_number, plan, plan_hash, target_hash, lease_owner, lease_expires_at, fencing_token, created_by, created_at)
     VALUES (?, ?, 'prj_x', ?, 'srv_x', 1, 'cutting_over', 1, '{}', '', '', 'wrk_x', UTC_TIMESTAMP(3) + INTERVAL 1 HOUR, 1, 'acc_x', UTC_TIMESTAMP(3))`,
    [migration.id, cellId, tenant.databaseId],
  );
  const [owned, rejections] = [{ cellId, owner: 'wrk_x' }, [] as unknown[]];
  const pauses = createRequestPauses(pool, owned);
  const ctx = {
    cellId,
    pauses,
    platform: pool,
    changes: publisher,
    migrations: createMigrationJournal(pool, owned),
    failPoint: () => undefined,
    logger: { info: (details: { held: unknown }) => rejections.push(details.held) },
  };
  const run = {
    ctx,
    migration,
    database: { id: tenant.databaseId },
    lease: { assertHeld: () => undefined },
    connection: { isLost: () => false },
    state: { mayCancel: true },
  };
  return {
    pauses,
    migration,
    refusals: rejections,
    pause: (work) => withPausedRequests(run, work),
    publish: () =>
      publish(tenant, true, { id: migration.id, owner: owned.owner, fencingToken: migration.fencingToken }),
    async beginPause(pauseMs) {
      const started = await pauses.begin(migration, pauseMs);
      if (started !== null) await publisher.announce(started.entry);
      return started;
    },
    close: () => publisher.close(),
  };
}

describe.each(getTestServers().engines.map((engine) => [engine.engine, engine] as const))(
  'requests during a change that gives names another meaning, on %s',
  (_name, engine: TestMysql) => {
    let cell: TestCell;
    let tenant: TestTenant;
    let gateways: readonly TestGateway[];
    let worker: Worker;

    beforeAll(async () => {
      cell = await createTestCell(engine, getTestServers().redisUrl);
      tenant = await cell.addTenant({ ddl: DDL, rows: ROWS });
      gateways = await Promise.all([cell.startGateway(), cell.startGateway()]);
      worker = await startWorker(cell, tenant);
    });
    afterAll(async () => {
      await worker?.close();
      await cell?.stop();
    });

    const call = (
      method: string,
      path: string,
      body?: unknown,
      index = 0,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<TestResponse> =>
      callGateway((gateways[index] as TestGateway).url, method, `/v1/-${path}`, {
        key: tenant.key,
        body,
        headers,
      });
    const alter = (sql: string): Promise<unknown> =>
      cell.root.run(`ALTER TABLE ${tenant.schemaName}.pairs ${sql}`);

    it('after a pause, no gateway uses a column of the previous schema', async () => {
      const responses: { kind: string; no: number; reply: TestResponse }[] = [];
      let [isEnding, no] = [false, 0];
      const kinds: Record<string, (index: number, own: number) => Promise<TestResponse>> = {
        read: (index) => call('GET', '/pairs/1', undefined, index),
        stream: (index) => call('GET', '/pairs?id=1', undefined, index, { accept: 'application/x-ndjson' }),
        write: (index, own) => call('POST', '/pairs', { a: `to a ${own}`, b: `to b ${own}` }, index),
        query: (index) => call('POST', '/query', { query: 'SELECT * FROM pairs WHERE id = 1' }, index),
      };
      const clients = Object.entries(kinds).flatMap(([kind, send]) =>
        [0, 1].map(async (index) => {
          while (!isEnding) {
            const own = (no += 1);
            responses.push({ kind, no: own, reply: await send(index, own) });
          }
        }),
      );
      await callUntil(
        () => call('GET', '/pairs/1'),
        () => responses.length > 50,
        5_000,
      );
      const upload = openUpload((gateways[0] as TestGateway).url, '/v1/-/pairs', {
        authorization: `Bearer ${tenant.key}`,
        'content-type': 'text/csv',
        prefer: 'on-error=stop',
      });
      await upload.send('a,b\nof a file,of b\n');
      await worker.pause(async () => {
        await alter(`${SWAP}, ADD COLUMN gen int NOT NULL DEFAULT 1`);
        await worker.publish();
      });
      const [fromNo, count] = [no, responses.length];
      await callUntil(
        () => call('GET', '/pairs/1'),
        () => responses.length > count + 50,
        5_000,
      );
      const imported = await upload.finish();
      expect([imported.status, imported.json?.code], imported.text).toEqual([503, 'db.schema_changing']);
      isEnding = true;
      await Promise.all(clients);
      expect(
        responses
          .filter(({ reply: response }) => response.status >= 300)
          .map(({ kind, reply: response }) => [kind, response.status, response.text]),
      ).toEqual([]);
      const isNew = ({ text }: TestResponse): boolean => text.includes('"gen"');
      expect(responses.filter((response) => response.no > fromNo && !isNew(response.reply))).toEqual([]);
      for (const { kind, reply: response } of responses) {
        if (kind !== 'write')
          expect(response.text.replaceAll(' ', ''), kind).toContain(
            isNew(response) ? '"a":"wasb"' : '"a":"wasa"',
          );
      }
      const stored = await cell.root.rows<{ a: string; b: string }>(
        `SELECT a, b FROM ${tenant.schemaName}.pairs WHERE id > 1`,
      );
      const byNo = new Map(stored.map((row) => [Number(/\d+/.exec(row.a)?.[0]), row]));
      const written = responses.filter(({ kind }) => kind === 'write');
      // A write on the old schema stored its value in the column now named `b`.
      for (const response of written)
        expect(byNo.get(response.no)?.a).toBe(
          isNew(response.reply) ? `to a ${response.no}` : `to b ${response.no}`,
        );
      expect(stored.length).toBe(written.length);
      expect(new Set(responses.map(({ reply: response }) => isNew(response)))).toEqual(
        new Set([true, false]),
      );
    });

    it('a long request delays the pause of its database', async () => {
      await cell.root.run(`LOCK TABLES ${tenant.schemaName}.slow WRITE`);
      const slow = call('GET', '/slow', undefined, 1);
      await new Promise((resolve) => setTimeout(resolve, 100));
      const cutOff =
        'INSERT INTO gateway_lease (cell_id, gateway_id, epoch, applied_through_seq, exceptions, renewed_at, expires_at) VALUES (?, ?, 1, 0, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE)';
      await cell.pool.run(cutOff, [cell.cellId, 'gw_cut_off', '[]']);
      worker.refusals.length = 0;
      const pausing = worker.pause(() => Promise.resolve());
      await expect.poll(() => worker.refusals).toHaveLength(1);
      expect(worker.refusals).toEqual([
        expect.arrayContaining([
          { gatewayId: 'gw_cut_off', reason: 'cut_off' },
          expect.objectContaining({ reason: 'old_requests' }),
        ]),
      ]);
      await cell.pool.run("DELETE FROM gateway_lease WHERE gateway_id = 'gw_cut_off'");
      expect((await call('GET', '/pairs/1', undefined, 1)).status).toBe(200);
      await cell.root.run('UNLOCK TABLES');
      expect((await slow).status).toBe(200);
      await pausing;
      expect((await call('GET', '/pairs/1', undefined, 1)).status).toBe(200);
    });

    it('a request for a column that is hidden while the database is paused is rejected', async () => {
      const pendingResponse: Promise<TestResponse>[] = [];
      await worker.pause(async () => {
        pendingResponse.push(call('GET', '/pairs/1'), call('GET', '/pairs/1', undefined, 1));
        await new Promise((resolve) => setTimeout(resolve, 50));
        await cell.pool.run(
          "UPDATE tenant_database SET settings = JSON_SET(settings, '$.hidden_columns', JSON_OBJECT('pairs', JSON_ARRAY('b'))), version = version + 1 WHERE id = ?",
          [tenant.databaseId],
        );
        // No message is sent, so only the change log contains the entry.
        await cell.change(tenant.databaseId, 'settings', { announce: false });
      });
      for (const response of await Promise.all(pendingResponse))
        expect([response.status, response.json.code]).toEqual([503, 'db.schema_changing']);
      expect((await call('GET', '/pairs/1')).json).toEqual({ id: 1, a: 'was b', gen: 1 });
      await cell.pool.run(
        "UPDATE tenant_database SET settings = JSON_SET(settings, '$.hidden_columns', JSON_OBJECT()), version = version + 1 WHERE id = ?",
        [tenant.databaseId],
      );
      await cell.change(tenant.databaseId, 'settings');
      await callUntil(
        () => call('GET', '/pairs/1'),
        ({ json }) => json.b === 'was a',
        3_000,
      );
    });

    it('requests to a paused database wait until the deadline if no worker ends the pause', async () => {
      const started = await worker.beginPause(800);
      expect(started?.wasChanging).toBe(false);
      await Promise.all(
        gateways.map(({ running }) =>
          expect
            .poll(() => running.services.schemas.isPaused(tenant.databaseId), { timeout: 3_000 })
            .toBe(true),
        ),
      );
      expect(
        (await Promise.all([call('GET', '/pairs/1'), call('PATCH', '/pairs/1', { gen: 2 }, 1)])).map(
          ({ status }) => status,
        ),
      ).toEqual([200, 200]);
      expect(await worker.pauses.keepPaused(worker.migration)).toBe(false);
      await worker.pauses.lift(worker.migration);
    });

    it('pausing a database is rejected with schema.busy while the database is moved', async () => {
      await cell.pool.run("UPDATE tenant_database SET location_state = 'moving' WHERE id = ?", [
        tenant.databaseId,
      ]);
      await expect(worker.pause(() => Promise.resolve())).rejects.toMatchObject({ code: 'schema.busy' });
      await cell.pool.run("UPDATE tenant_database SET location_state = 'live' WHERE id = ?", [
        tenant.databaseId,
      ]);
    });

    it('requests get 503 while a database stays paused because its worker died', async () => {
      await expect(
        worker.pause(async () => {
          await alter(`${SWAP}, DROP COLUMN gen, ADD COLUMN second int NOT NULL DEFAULT 2`);
          throw new LeaseLostError(worker.migration.id);
        }),
      ).rejects.toThrow(LeaseLostError);
      // A gateway that starts now also sees the pause.
      const late = await cell.startGateway();
      const sendRequest = (): Promise<TestResponse>[] => [
        call('GET', '/pairs/1'),
        call('POST', '/pairs', { a: 'x', b: 'x' }, 1),
        call('POST', '/query', { query: 'SELECT * FROM pairs' }),
        callGateway(late.url, 'GET', '/v1/-/pairs/1', { key: tenant.key }),
      ];
      for (const response of [...(await Promise.all(sendRequest())), ...(await Promise.all(sendRequest()))]) {
        expect([response.status, response.json?.code ?? response.text]).toEqual([503, 'db.schema_changing']);
        expect(response.headers.get('retry-after')).toBe('1');
      }
      const held = call('GET', '/pairs/1');
      await worker.pause(worker.publish);
      expect([200, 503]).toContain((await held).status);
      for (const index of [0, 1]) {
        const response = await callUntil(
          () => call('GET', '/pairs/1', undefined, index),
          ({ status }) => status === 200,
          3_000,
        );
        expect(response.json).toEqual({ id: 1, a: 'was a', b: 'was b', second: 2 });
      }
      expect(await worker.pauses.lift(worker.migration)).toBeNull();
    });
  },
);

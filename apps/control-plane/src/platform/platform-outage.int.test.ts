import { getTestServers, startTcpProxy, type TcpProxy } from '@rowhouse/testkit';
import { createConnection } from 'mysql2/promise';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCellDataSource, SERVING_BOUNDS } from '../platform-db/data-sources.js';
import { startTestControlPlane, type TestControlPlane } from '../testing/start-test-control-plane.js';
import { TestClient, type TestResponse } from '../testing/test-client.js';

const servers = getTestServers();
let proxy: TcpProxy;
let plane: TestControlPlane;
let owner: TestClient;
let developmentId: string;

beforeAll(async () => {
  proxy = await startTcpProxy(servers.mysql.host, servers.mysql.port);
  plane = await startTestControlPlane({}, proxy.port);
  owner = new TestClient(plane.app);
  const signup = await owner.signUp('owner@example.test');
  developmentId =
    (signup.json['databases'] as { id: string; environment: string }[]).find(
      (row) => row.environment === 'development',
    )?.id ?? '';
});
afterAll(async () => {
  await plane?.stop();
  await proxy?.stop();
});

const messages = ({ status, json, headers }: TestResponse): unknown[] => [
  status,
  json['code'],
  Number(headers['retry-after']) >= 1,
];
const UNAVAILABLE = [503, 'platform.unavailable', true];

describe('a platform database that does not respond', () => {
  it("requests fail within the time limit while the platform database doesn't respond", async () => {
    expect((await owner.get('/api/me')).status).toBe(200);
    proxy.stall();
    const answers = await Promise.all(Array.from({ length: 30 }, () => owner.get('/api/projects')));
    expect(answers.map(messages)).toEqual(Array.from({ length: 30 }, () => UNAVAILABLE));
    proxy.open();
    await expect.poll(async () => (await owner.get('/api/me')).status).toBe(200);
  });

  it('an unreachable platform database is reported as unavailable', async () => {
    proxy.cut();
    expect(messages(await owner.get('/api/me'))).toEqual(UNAVAILABLE);
    proxy.open();
    await expect.poll(async () => (await owner.get('/api/me')).status).toBe(200);
  });
});

describe('a platform database with a second address', () => {
  it('the second platform database address is used while the first is unavailable', async () => {
    const url = plane.config.cellUrl
      .reveal()
      .replace(`:${proxy.port}/`, `:${proxy.port},${servers.mysql.host}:${servers.mysql.port}/`);
    const open = async (): Promise<DataSource> =>
      (await createCellDataSource(url, SERVING_BOUNDS)).initialize();
    const sendRequest = (source: DataSource): Promise<unknown> =>
      source.query('SELECT COUNT(*) AS found FROM change_log_head').then(
        () => 'answered',
        (error: { code?: unknown }) => error.code,
      );
    const before = await open();
    const sent = proxy.countSent();
    expect([await sendRequest(before), proxy.countSent() > sent]).toEqual(['answered', true]);
    proxy.cut();
    await expect.poll(() => sendRequest(before)).toBe('answered');
    const meanwhile = await open();
    expect(await sendRequest(meanwhile)).toBe('answered');
    proxy.open();
    await Promise.all([before.destroy(), meanwhile.destroy()]);
  });
});

describe('a locked row', () => {
  it('a request that times out while a row is locked writes nothing later', async () => {
    const holder = await createConnection({ uri: plane.config.cellUrl.reveal() });
    await holder.query('START TRANSACTION');
    await holder.query('SELECT last_seq FROM change_log_head WHERE cell_id = ? FOR UPDATE', [
      plane.config.cellId,
    ]);
    expect(messages(await owner.post(`/api/databases/${developmentId}/keys`, { name: 'late' }))).toEqual(
      UNAVAILABLE,
    );
    await holder.query('ROLLBACK');
    await holder.end();
    const listed = await owner.get(`/api/databases/${developmentId}/keys`);
    expect((listed.json['items'] as { name: string }[]).map((key) => key.name)).not.toContain('late');
    expect((await owner.post(`/api/databases/${developmentId}/keys`, { name: 'in time' })).status).toBe(201);
  });
});

describe('a write with an unknown outcome', () => {
  it('a platform write with an unknown outcome is reported as possibly executed', async () => {
    const connection = (await plane.db.cell.driver.obtainMasterConnection()) as {
      query: unknown;
      promise(): { query(sql: string): Promise<unknown> };
      release(): void;
    };
    await connection.promise().query('START TRANSACTION');
    await connection.promise().query('DELETE FROM detect_request WHERE cell_id = "none"');
    proxy.stall();
    await expect(connection.promise().query('COMMIT')).rejects.toMatchObject({
      code: 'PLATFORM_OUTCOME_UNKNOWN',
    });
    connection.release();
    proxy.open();
    await expect.poll(async () => (await owner.get('/api/me')).status).toBe(200);
  });
});

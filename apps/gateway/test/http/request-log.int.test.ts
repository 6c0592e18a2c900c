import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { callGateway, type CallOptions } from '../support/http-call.js';
import { stageCell } from '../support/stage-cell.js';

type Event = Readonly<Record<string, unknown>>;

describe("the gateway's log", () => {
  const stage = stageCell(getTestServers().mysql, {
    tenant: { rows: ["INSERT INTO users (id, username, email) VALUES (1, 'ann', 'canary@example.org')"] },
    other: {},
    gateway: { logLevel: 'info' },
  });

  /** Returns the events of a call. */
  async function eventsOf(
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<readonly Event[]> {
    const before = stage.gateway.events().length;
    const response = await callGateway(stage.gateway.url, method, path, options);
    // The response is sent before its log event is written, so the test waits for the event.
    await expect.poll(() => stage.gateway.events().length).toBeGreaterThan(before);
    const events = stage.gateway
      .events()
      .slice(before)
      .map((line) => JSON.parse(line) as Event);
    expect(events[0]?.['request_id']).toBe(response.headers.get('x-request-id'));
    expect(events[0]?.['status']).toBe(response.status);
    return events;
  }

  it('each request has one log event with its key and its cost', async () => {
    const key = stage.tenant.key;
    const [keyRow] = await stage.cell.pool.rows<{ id: string }>(
      'SELECT id FROM api_key WHERE database_id = ?',
      [stage.tenant.databaseId],
    );
    const [database] = await stage.cell.pool.rows<{ project_id: string }>(
      'SELECT project_id FROM tenant_database WHERE id = ?',
      [stage.tenant.databaseId],
    );
    expect(await eventsOf('GET', '/v1/-/users/1', { key })).toMatchObject([
      {
        level: 30,
        service: 'gateway',
        msg: 'request',
        method: 'GET',
        route: 'GET /users/{id}',
        plan: 'read',
        status: 200,
        rows: 1,
        database_id: stage.tenant.databaseId,
        key_id: keyRow?.id,
        project_id: database?.project_id,
        duration_ms: expect.any(Number),
        bytes: expect.any(Number),
        steps_ms: {
          auth: expect.any(Number),
          schema: expect.any(Number),
          plan: expect.any(Number),
          db: expect.any(Number),
          render: expect.any(Number),
        },
      },
    ]);
    expect(await eventsOf('GET', '/v1/-/users?username=canary', { key })).toMatchObject([
      { plan: 'list', rows: 0, route: 'GET /users' },
    ]);
    expect(
      await eventsOf('POST', '/v1/-/query', { key, body: { query: "SELECT 'canary' AS a" } }),
    ).toMatchObject([{ plan: 'select', route: 'POST /query', rows: 1 }]);
    expect(await eventsOf('GET', '/v1/-/health')).toMatchObject([{ route: 'GET /health', status: 200 }]);
    expect(await eventsOf('GET', '/v1/-/users/1', { key: stage.other.key })).toMatchObject([
      { status: 404, code: 'record.not_found', database_id: stage.other.databaseId },
    ]);
    expect(await eventsOf('GET', '/v1/-/users/1')).toMatchObject([{ status: 401, code: 'auth.missing_key' }]);
  });

  it('the gateway log contains no value or secret, whatever fails', async () => {
    const key = stage.tenant.key;
    await eventsOf('POST', '/v1/-/users', { key, body: { username: 'canary', email: 'canary@example.org' } });
    await eventsOf('POST', '/v1/-/users', { key, body: { username: 'canary2', email: 'not canary' } });
    await eventsOf('POST', '/v1/-/users', { key, body: '{"canary' });
    await eventsOf('GET', '/v1/-/users/canary', { key });
    await eventsOf('GET', '/v1/-/canaries?canary=canary', { key });
    await eventsOf('GET', '/v1/-/users', { key: `rh_dev_${'canary'.repeat(6)}` });
    for (const query of [
      'SELECT canary FROM users',
      "SELECT 'canary",
      "SELECT * FROM users WHERE username = 'canary' GROUP BY",
      "SELECT CAST('canary' AS DATE) FROM users HAVING email",
    ])
      await eventsOf('POST', '/v1/-/query', { key, body: { query } });
    const text = stage.gateway.events().join('\n');
    expect(text).not.toContain('canary');
    expect(text).not.toContain(stage.tenant.key.slice(0, 20));
  });

  it('a stopping gateway writes which routes each API key has used', async () => {
    const own = await stage.cell.startGateway();
    for (const path of ['/v1/-/users', '/v1/-/users', '/v1/-/users/1'])
      await callGateway(own.url, 'GET', path, { key: stage.tenant.key });
    await callGateway(own.url, 'GET', '/v1/-/tags', { key: stage.other.key });
    await own.stop();
    const uses = await stage.cell.pool.rows(
      'SELECT database_id, route, CAST(requests AS SIGNED) AS requests FROM key_use_day WHERE cell_id = ? ORDER BY route',
      [stage.cell.cellId],
    );
    expect(uses).toEqual([
      { database_id: stage.other.databaseId, route: 'GET /tags', requests: 1 },
      { database_id: stage.tenant.databaseId, route: 'GET /users', requests: 2 },
      { database_id: stage.tenant.databaseId, route: 'GET /users/{id}', requests: 1 },
    ]);
  });
});

import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { callGateway, callUntil, type CallOptions, type TestResponse } from '../support/http-call.js';
import { stageCell } from '../support/stage-cell.js';

describe('a database over its storage quota', () => {
  const stage = stageCell(getTestServers().mysql, {
    tenant: { rows: ["INSERT INTO users (id, username, email) VALUES (1, 'ann', 'ann@example.org')"] },
  });

  const call = (method: string, path: string, options: CallOptions = {}): Promise<TestResponse> =>
    callGateway(stage.gateway.url, method, path, { key: stage.tenant.key, ...options });
  const user = (name: string): object => ({ username: name, email: `${name}@example.org` });
  const setFull = async (isFull: boolean): Promise<void> => {
    await stage.cell.pool.run('UPDATE tenant_database SET storage_full = ? WHERE id = ?', [
      isFull ? 1 : 0,
      stage.tenant.databaseId,
    ]);
    await stage.cell.change(stage.tenant.databaseId, 'settings');
  };

  it('a database over its quota rejects only requests that create records', async () => {
    await setFull(true);
    await callUntil(
      () => call('POST', '/v1/-/users', { body: user('bob') }),
      (response) => response.status === 507,
      5_000,
    );
    const csv = { headers: { 'content-type': 'text/csv' } };
    const writer = await stage.cell.addKey(stage.tenant, {
      scopes: ['read', 'write', 'query', 'query:write'],
    });
    const creates: [string, () => Promise<TestResponse>][] = [
      ['create', () => call('POST', '/v1/-/users', { body: user('bob') })],
      [
        'create under a key',
        () => call('POST', '/v1/-/users', { body: user('bob'), headers: { 'idempotency-key': 'one' } }),
      ],
      ['many', () => call('POST', '/v1/-/users', { body: [user('bob'), user('eve')] })],
      [
        'nested',
        () =>
          call('POST', '/v1/-/users', { body: { ...user('bob'), posts: [{ title: 'A', content: 'b' }] } }),
      ],
      ['upsert', () => call('POST', '/v1/-/users?_on_conflict=email', { body: user('bob') })],
      ['csv', () => call('POST', '/v1/-/users', { body: 'username,email\nbob,bob@example.org\n', ...csv })],
      [
        'batch',
        () =>
          call('POST', '/v1/-/_batch', {
            body: { operations: [{ method: 'POST', path: '/users', body: user('bob') }] },
          }),
      ],
    ];
    for (const [name, send] of creates) {
      const response = await send();
      expect([name, response.status, response.json?.code], response.text).toEqual([
        name,
        507,
        'limit.storage',
      ]);
    }
    void writer;
    expect((await call('GET', '/v1/-/users')).json).toHaveLength(1);
    expect((await call('PUT', '/v1/-/users/1', { body: { bio: 'still here' } })).status).toBeLessThan(300);
    expect(
      (
        await callGateway(stage.gateway.url, 'POST', '/v1/-/users', {
          key: stage.other.key,
          body: user('bob'),
        })
      ).status,
    ).toBe(201);
    expect((await call('DELETE', '/v1/-/users/1')).status).toBeLessThan(300);
    await setFull(false);
    expect(
      (
        await callUntil(
          () => call('POST', '/v1/-/users', { body: user('bob') }),
          (response) => response.status === 201,
          5_000,
        )
      ).status,
    ).toBe(201);
  });
});

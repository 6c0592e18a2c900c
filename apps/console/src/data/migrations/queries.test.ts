import type { MigrationResponse } from '@rowhouse/contracts';
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import { hasEnded, lastMigrationQuery, migrationKeys } from './queries.js';

const send = vi.hoisted(() => vi.fn());
vi.mock('../client/send-request.js', () => ({ sendRequest: send }));
beforeEach(() => send.mockReset());

it('the newest migration of a database is loaded, or null without one', async () => {
  send
    .mockResolvedValueOnce({ items: [{ id: 'mig_1' }], next_cursor: 'x' })
    .mockResolvedValueOnce({ items: [], next_cursor: null });
  expect(await new QueryClient().fetchQuery(lastMigrationQuery('prj_1', 'db_1'))).toEqual({ id: 'mig_1' });
  expect(send).toHaveBeenCalledWith('GET', '/api/databases/db_1/migrations?limit=1');
  expect(await new QueryClient().fetchQuery(lastMigrationQuery('prj_1', 'db_2'))).toBeNull();
});

it('the newest migration is reloaded together with those of its project', async () => {
  const client = new QueryClient();
  const { queryKey } = lastMigrationQuery('prj_1', 'db_1');
  client.setQueryData(queryKey, null);
  await client.invalidateQueries({ queryKey: migrationKeys.of('prj_2') });
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(false);
  await client.invalidateQueries({ queryKey: migrationKeys.of('prj_1') });
  expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true);
});

it('the console polls a migration only while it is running', () => {
  const { refetchInterval } = lastMigrationQuery('prj_1', 'db_1');
  const intervalOf = (data: Pick<MigrationResponse, 'state'> | null): unknown =>
    (refetchInterval as (query: unknown) => unknown)({ state: { data } });
  expect([
    intervalOf(null),
    intervalOf({ state: 'published' }),
    intervalOf({ state: 'needs_attention' }),
  ]).toEqual([false, false, false]);
  expect(intervalOf({ state: 'running' })).toBeGreaterThan(0);
  expect([hasEnded('queued'), hasEnded('failed')]).toEqual([false, true]);
});

import type { DatabaseResponse } from '@rowhouse/contracts';
import { beforeEach, expect, it, vi } from 'vitest';
import type { TableView } from '../schema/read-tables.js';
import { hasRowsQuery } from './queries.js';

const read = vi.hoisted(() => vi.fn());
vi.mock('../gateway/call-gateway.js', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  readGateway: read,
}));
const DATABASE = { id: 'db_1', snapshot_number: 1, state: 'ready' } as DatabaseResponse;
const tables = (...names: string[]): TableView[] =>
  names.map((name) => ({ name, path: name, kind: name === 'v' ? 'view' : 'table' }) as TableView);
const sendRequest = async (views: TableView[]): Promise<unknown> =>
  hasRowsQuery(DATABASE, views).queryFn?.({ signal: new AbortController().signal } as never);

beforeEach(() => read.mockReset().mockResolvedValue({ body: [] }));

it('the overview checks tables one by one until one has a row', async () => {
  read.mockResolvedValueOnce({ body: [] }).mockResolvedValueOnce({ body: [{ id: 1 }] });
  expect(await sendRequest(tables('v', 'a', 'b', 'c'))).toBe(true);
  expect(read.mock.calls.map(([, request]) => request.path)).toEqual(['/a?limit=1', '/b?limit=1']);
});

it('the overview stops checking tables after a few empty ones', async () => {
  expect(await sendRequest(tables(...Array.from({ length: 30 }, (_, index) => `t${index}`)))).toBe(false);
  expect(read).toHaveBeenCalledTimes(8);
});

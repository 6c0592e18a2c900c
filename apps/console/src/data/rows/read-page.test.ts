import type { DatabaseResponse } from '@rowhouse/contracts';
import { beforeEach, expect, it, vi } from 'vitest';
import { readTables, type TableView } from '../schema/read-tables.js';
import { PAGE_ROWS, readPage, type PageStart } from './read-page.js';

const read = vi.hoisted(() => vi.fn());
vi.mock('../gateway/call-gateway.js', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  readGateway: read,
}));
beforeEach(() => read.mockReset());

const [KEYED, BARE] = readTables([
  {
    name: 'posts',
    primary_key: ['id'],
    columns: [
      { name: 'id', type: 'int', value_kind: 'integer' },
      { name: 'body', type: 'longtext', value_kind: 'string', max_length: 4_294_967_295 },
    ],
  },
  {
    name: 'lines',
    primary_key: [],
    columns: [{ name: 'text', type: 'varchar(9)', value_kind: 'string', max_length: 9 }],
  },
]) as [TableView, TableView];
const REQUEST = { filters: [], sort: undefined, select: null };

async function readFrom(table: TableView, position: PageStart, headers: Record<string, string>) {
  read.mockResolvedValueOnce({ body: [{ id: 1 }], headers: new Headers(headers) });
  const page = await readPage({ id: 'db_1' } as DatabaseResponse, table, REQUEST, position);
  return { page, path: String((read.mock.lastCall as [unknown, { path: string }])[1].path) };
}

it('pages of rows continue after the key of the last row', async () => {
  const { page, path } = await readFrom(
    KEYED,
    { kind: 'cursor', cursor: 'c1' },
    { 'x-has-more': 'true', 'x-next-cursor': 'c2' },
  );
  expect(page).toMatchObject({ next: { kind: 'cursor', cursor: 'c2' }, hasMore: true });
  expect(path).toContain('_cursor=c1');
  expect(path).not.toContain('body');
});

it('pages of a table without a key use offsets until the reported end', async () => {
  expect(await readFrom(BARE, { kind: 'offset', rows: PAGE_ROWS }, { 'x-has-more': 'true' })).toMatchObject({
    page: { next: { kind: 'offset', rows: PAGE_ROWS + 1 }, hasMore: true },
    path: expect.stringContaining(`_offset=${PAGE_ROWS}`),
  });
  expect(
    (await readFrom(BARE, { kind: 'offset', rows: 99_999 }, { 'x-has-more': 'true' })).page,
  ).toMatchObject({ next: null, hasMore: true });
  expect((await readFrom(BARE, { kind: 'start' }, { 'x-has-more': 'false' })).page).toMatchObject({
    next: null,
    hasMore: false,
  });
});

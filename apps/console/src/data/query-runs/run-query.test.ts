import { beforeEach, expect, it, vi } from 'vitest';
import { runQuery } from './run-query.js';

const read = vi.hoisted(() => vi.fn());
vi.mock('../gateway/call-gateway.js', () => ({ readGateway: read }));
const DATABASE = { id: 'db_1', base_url: 'http://gateway.test' };

beforeEach(() => read.mockReset().mockResolvedValue({ body: { data: [] } }));

it('runQuery requests the verbose response with the time zone of the browser', async () => {
  await runQuery(DATABASE, { text: 'how many posts', mode: 'auto', limit: 100 });
  const [, request] = read.mock.calls[0] ?? [];
  expect(request).toMatchObject({
    method: 'POST',
    path: '/query',
    body: {
      query: 'how many posts',
      mode: 'auto',
      limit: 100,
      verbose: true,
      array_mode: true,
      timezone: expect.stringMatching(/^(UTC|[A-Z]\w+\/\w+)/),
    },
  });
  expect(request).not.toHaveProperty('purpose');
  expect(request.body).not.toHaveProperty('params');
});

it('runQuery runs a write with a key that may write, with a row limit or as a dry run', async () => {
  await runQuery(DATABASE, {
    text: 'DELETE FROM posts WHERE id = ?',
    mode: 'sql',
    limit: 100,
    params: [1],
    write: { dryRun: true, affectedMax: 20 },
  });
  expect(read.mock.calls[0]?.[1]).toMatchObject({
    purpose: 'sql-writes',
    headers: { Prefer: 'max-affected=20' },
    body: { dry_run: true, params: [1] },
  });
  await runQuery(DATABASE, {
    text: 'DELETE FROM posts WHERE id = 1',
    mode: 'sql',
    limit: 100,
    write: { dryRun: false, affectedMax: 20 },
  });
  expect(read.mock.calls[1]?.[1].body).not.toHaveProperty('dry_run');
});

import type { DatabaseResponse } from '@rowhouse/contracts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readTables, type TableView } from '../schema/read-tables.js';
import type { RowChange } from './apply-changes.js';
import { createRowSaver } from './create-row-saver.js';

vi.mock('../gateway/session-keys.js', () => ({
  readSessionKey: async () => ({ secret: 's' }),
  dropSessionKey: () => undefined,
}));

const DATABASE = { id: 'db_1', base_url: 'http://gateway.test' } as DatabaseResponse;
const [TABLE] = readTables([
  {
    name: 'tags',
    primary_key: ['id'],
    columns: [
      { name: 'id', type: 'bigint', value_kind: 'integer' },
      { name: 'name', type: 'varchar(9)', value_kind: 'string' },
      { name: 'body', type: 'text', value_kind: 'string' },
    ],
  },
]) as [TableView];

/** A fake gateway that stores batches by idempotency key and can lose responses. */
const gateway = {
  storedBatches: new Map<string, string>(),
  rows: [] as string[],
  isResponseLost: false,
  sizeMax: Number.POSITIVE_INFINITY,
  rejection: null as { status: number; body: unknown } | null,
};

function respond(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status });
}

function runBatch(headers: Record<string, string>, body: string): Response {
  const identity = headers['Prefer'] + body;
  const stored = gateway.storedBatches.get(headers['Idempotency-Key'] ?? '');
  if (stored !== undefined && stored !== identity)
    return respond(422, { detail: 'Another request.', code: 'idempotency.mismatch' });
  if (gateway.rejection) return respond(gateway.rejection.status, gateway.rejection.body);
  const isMinimal = headers['Prefer']?.includes('return=minimal') === true;
  if (!isMinimal && body.length > gateway.sizeMax)
    return respond(422, { detail: 'Too large.', code: 'idempotency.too_large' });
  const operations = (JSON.parse(body) as { operations: { body: { name: string } }[] }).operations;
  if (stored === undefined) gateway.rows.push(...operations.map((operation) => operation.body.name));
  gateway.storedBatches.set(headers['Idempotency-Key'] ?? '', identity);
  return respond(
    200,
    operations.map((operation, index) => ({
      headers: { ETag: '"1"', Location: `/v1/-/tags/${index}` },
      body: isMinimal ? { id: index } : { id: index, ...operation.body },
    })),
  );
}

const sent = vi.fn<(headers: Record<string, string>) => void>();

beforeEach(() => {
  Object.assign(gateway, {
    storedBatches: new Map(),
    rows: [],
    isResponseLost: false,
    sizeMax: Number.POSITIVE_INFINITY,
    rejection: null,
  });
  sent.mockReset();
  vi.stubGlobal('fetch', async (_url: string, { method, headers, body }: RequestInit) => {
    if (method === 'GET') return new Response('{"id":0,"name":"read"}', { headers: { etag: '"2"' } });
    sent(headers as Record<string, string>);
    const response = runBatch(headers as Record<string, string>, String(body));
    if (gateway.isResponseLost) throw new TypeError('the connection was lost');
    return response;
  });
});
afterEach(() => vi.unstubAllGlobals());

const insert = (name: string): RowChange => ({
  kind: 'insert',
  id: `new-${name}`,
  path: null,
  etag: null,
  values: { name },
});
const keysSent = (): unknown[] => sent.mock.calls.map(([headers]) => headers['Idempotency-Key']);

it('a save repeated after a lost response stores each new row once', async () => {
  const save = createRowSaver();
  gateway.isResponseLost = true;
  await expect(save(DATABASE, TABLE, [insert('a')])).rejects.toMatchObject({ code: 'network.failed' });
  gateway.isResponseLost = false;
  const result = await save(DATABASE, TABLE, [insert('a')]);
  expect(result).toMatchObject({ kind: 'done', saved: [{ id: 'new-a', values: { name: 'a' } }] });
  expect(gateway.rows).toEqual(['a']);
});

it('edits made after a lost response stay unsaved if the earlier changes were stored', async () => {
  const save = createRowSaver();
  const earlier = [insert('a')];
  gateway.isResponseLost = true;
  await save(DATABASE, TABLE, earlier).catch(() => undefined);
  gateway.isResponseLost = false;
  const result = await save(DATABASE, TABLE, [insert('a'), insert('b')]);
  expect(result).toMatchObject({ kind: 'done', sent: earlier, saved: [{ id: 'new-a' }] });
  expect(gateway.rows).toEqual(['a']);
});

it('a save gets a new idempotency key after the previous save has an outcome', async () => {
  const save = createRowSaver();
  await save(DATABASE, TABLE, [insert('a')]);
  await save(DATABASE, TABLE, [insert('a')]);
  expect(gateway.rows).toEqual(['a', 'a']);
  expect(new Set(keysSent()).size).toBe(2);
});

it('a save whose response is too large to store reads the saved records afterwards', async () => {
  gateway.sizeMax = 10;
  const result = await createRowSaver()(DATABASE, TABLE, [insert('a')]);
  expect(result).toMatchObject({ kind: 'done', saved: [{ values: { name: 'read' }, etag: '"2"' }] });
  expect(new Set(keysSent()).size).toBe(1);
});

it('a rejected change reports each message at its column', async () => {
  const detail = [
    { loc: ['body', 'name'], msg: 'too long: at most 9', type: 'x' },
    { loc: ['body', 'body'], msg: 'too long', type: 'x' },
  ];
  gateway.rejection = { status: 422, body: { detail, code: 'body.invalid', operation: 0 } };
  const result = await createRowSaver()(DATABASE, TABLE, [insert('a')]);
  expect(result).toMatchObject({
    kind: 'rejected',
    faults: { 'new-a': { columns: { name: 'too long: at most 9', body: 'too long' } } },
  });
});

it('a rejected save reports the error of the database if the current rows cannot be read', async () => {
  gateway.rejection = { status: 412, body: { detail: 'Changed.', code: 'record.stale', operation: 0 } };
  const runBatchOnly = globalThis.fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (init.method === 'GET' && url.endsWith('/tags/1')) throw new TypeError('the connection was lost');
    return runBatchOnly(url, init);
  });
  const update = (path: string): RowChange => ({
    kind: 'update',
    id: path,
    path,
    etag: '"1"',
    values: { name: 'a' },
  });
  const result = await createRowSaver()(DATABASE, TABLE, [update('1'), update('2')]);
  expect(result).toMatchObject({
    kind: 'rejected',
    error: { code: 'record.stale' },
    faults: { 1: { message: 'Changed.', conflict: null }, 2: { conflict: { etag: '"2"' } } },
  });
});

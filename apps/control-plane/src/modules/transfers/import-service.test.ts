import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, it, vi } from 'vitest';
import { AppError } from '@rowhouse/errors';
import type { RequestContext } from '../../access/request-context.js';
import { ImportService } from './import-service.js';

afterEach(() => void vi.restoreAllMocks());

const nothing = (): Promise<void> => Promise.resolve();

const CALL = { project: { id: 'prj_1' }, accountId: 'acc_1' } as RequestContext;

/** Creates a service that records stored chunks and actions in order. */
function setUp(enqueue: () => Promise<string> = () => Promise.resolve('tsk_1')): {
  readonly service: ImportService;
  readonly retained: Buffer[];
  readonly steps: string[];
} {
  const retained: Buffer[] = [];
  const steps: string[] = [];
  const row = {
    id: 'fil_1',
    kind: 'import',
    state: 'writing',
    bytes: 0,
    rowsTotal: 0,
    manifest: null,
    revision: null,
    error: null,
    databaseId: null,
    createdAt: new Date(0),
    finishedAt: null,
    expiresAt: null,
  };
  const files = {
    insert: () => Promise.resolve(row),
    remove: () => (steps.push('file removed'), nothing()),
    writeUpload: (_id: string, _ordinal: number, chunk: Buffer) => (
      retained.push(chunk),
      steps.push('piece kept'),
      nothing()
    ),
    rows: { findOneByOrFail: () => Promise.resolve(row) },
  };
  const schemas = {
    newestNumber: () => Promise.resolve(7),
    assertSpace: nothing,
    find: (_projectId: string, revision: number) => (
      steps.push(`schema ${revision} read`),
      Promise.resolve({ snapshot: null, revision })
    ),
  };
  const service = new ImportService(
    files as never,
    schemas as never,
    { enqueue: () => (steps.push('queued'), enqueue()) } as never,
    { waitAWhile: nothing } as never,
    { assertAccessUnchanged: nothing } as never,
    { write: nothing } as never,
  );
  return { service, retained, steps };
}

it('an import upload that arrives in single bytes is joined while it arrives', async () => {
  const { service, retained } = setUp();
  const text = 'SELECT 1; '.repeat(4_000);
  let maximum = 0;
  const { concat } = Buffer;
  vi.spyOn(Buffer, 'concat').mockImplementation(
    (list, length) => ((maximum = Math.max(maximum, list.length)), concat(list, length)),
  );
  await service.import(
    CALL,
    Readable.from(
      Array.from(Buffer.from(text), (byte) => Buffer.from([byte])),
      { objectMode: true },
    ),
    {},
  );
  expect(retained.length).toBe(1);
  expect(retained.map((chunk) => gunzipSync(chunk).toString()).join('')).toBe(text);
  // The number of buffers that are held at the same time.
  expect(maximum).toBeLessThan(100);
});

it('an import reads the current schema after the upload, which may take an hour', async () => {
  const { service, steps } = setUp();
  await service.import(CALL, Readable.from([Buffer.from('SELECT 1;')]), {});
  expect(steps).toEqual(['piece kept', 'schema 7 read', 'queued']);
});

it('a failed import upload leaves no file behind', async () => {
  const { service, steps } = setUp(() => Promise.reject(new AppError('limit.concurrency')));
  await expect(service.import(CALL, Readable.from([Buffer.from('SELECT 1;')]), {})).rejects.toMatchObject({
    code: 'limit.concurrency',
  });
  expect(steps.at(-1)).toBe('file removed');
});

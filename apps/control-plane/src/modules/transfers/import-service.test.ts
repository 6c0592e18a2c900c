import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, it, vi } from 'vitest';
import type { CallContext } from '../../access/call-context.js';
import { ImportService } from './import-service.js';

afterEach(() => void vi.restoreAllMocks());

const nothing = (): Promise<void> => Promise.resolve();

/** What is kept of uploads. */
function setUp(): { readonly service: ImportService; readonly kept: Buffer[] } {
  const kept: Buffer[] = [];
  const row = { id: 'fil_1', kind: 'import', state: 'writing', bytes: 0, rowsTotal: 0, manifest: null, revision: null, error: null, databaseId: null, createdAt: new Date(0), finishedAt: null, expiresAt: null };
  const files = { insert: () => Promise.resolve(row), remove: nothing, writeUpload: (_id: string, _ordinal: number, piece: Buffer) => (kept.push(piece), Promise.resolve()), rows: { findOneByOrFail: () => Promise.resolve(row) } };
  const schemas = { newest: () => Promise.resolve({ snapshot: null, revision: 0 }) };
  const service = new ImportService(files as never, schemas as never, { enqueue: () => Promise.resolve('tsk_1') } as never, { waitAWhile: nothing } as never, { write: nothing } as never);
  return { service, kept };
}

it('puts an upload that comes a byte at a time together while it comes', async () => {
  const { service, kept } = setUp();
  const text = 'SELECT 1; '.repeat(4_000);
  let most = 0;
  const { concat } = Buffer;
  vi.spyOn(Buffer, 'concat').mockImplementation((list, length) => ((most = Math.max(most, list.length)), concat(list, length)));
  await service.import({ project: { id: 'prj_1' }, accountId: 'acc_1' } as CallContext, Readable.from(Array.from(Buffer.from(text), (byte) => Buffer.from([byte])), { objectMode: true }), {});
  expect(kept.length).toBe(1);
  expect(kept.map((piece) => gunzipSync(piece).toString()).join('')).toBe(text);
  // So many buffers were held at once.
  expect(most).toBeLessThan(100);
});

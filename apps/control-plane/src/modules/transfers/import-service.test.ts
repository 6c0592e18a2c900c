import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, it, vi } from 'vitest';
import { AppError } from '@rowhouse/errors';
import type { EntityManager } from 'typeorm';
import type { ReachFinder } from '../../access/reach-finder.js';
import type { RequestContext } from '../../access/request-context.js';
import { TransferFile } from '../../platform-db/entities/transfer-file.js';
import type { AuditWriter } from '../../platform/audit-writer.js';
import type { TaskRunner } from '../../platform/task-runner.js';
import { createFake } from '../../testing/create-fake.js';
import type { Revision, WorkingSchemaStore } from '../schema/working-schema-store.js';
import type { ExportService } from './export-service.js';
import { ImportService } from './import-service.js';
import type { TransferFiles } from './transfer-files.js';

afterEach(() => void vi.restoreAllMocks());

const nothing = (): Promise<void> => Promise.resolve();

const MANAGER = {} as EntityManager;
const CALL = { project: { id: 'prj_1' }, accountId: 'acc_1' } as RequestContext;

/** Creates a service that records stored chunks and actions in order. */
function setUp(failures: { write?: () => Promise<void>; enqueue?: () => Promise<void> } = {}): {
  readonly service: ImportService;
  readonly retained: Buffer[];
  readonly steps: string[];
} {
  const retained: Buffer[] = [];
  const steps: string[] = [];
  const row: TransferFile = Object.assign(new TransferFile(), {
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
  });
  const files = createFake<TransferFiles>({
    insert: async (_file, record) => {
      await record?.(MANAGER, row.id);
      return row;
    },
    remove: async () => void steps.push('file removed'),
    assertSpace: nothing,
    writeUpload: async (_id, _ordinal, chunk) => {
      await failures.write?.();
      retained.push(chunk);
      steps.push('chunk stored');
    },
    rows: createFake<TransferFiles['rows']>({ findOneByOrFail: async () => row }),
  });
  const schemas = createFake<WorkingSchemaStore>({
    newestNumber: async () => 7,
    assertSpace: nothing,
    find: async (_projectId, revision) => {
      steps.push(`schema ${revision} read`);
      return { revision, snapshot: null } as Revision;
    },
  });
  const tasks = createFake<TaskRunner>({
    enqueue: async () => {
      steps.push('queued');
      await failures.enqueue?.();
      return 'tsk_1';
    },
  });
  const audit = createFake<AuditWriter>({
    record: async (manager, context, { action, target }) => {
      expect([manager, context]).toEqual([MANAGER, CALL]);
      steps.push(`${action} ${target} recorded`);
    },
  });
  const service = new ImportService(
    files,
    schemas,
    tasks,
    createFake<ExportService>({ waitAWhile: nothing }),
    createFake<ReachFinder>({ assertAccessUnchanged: nothing }),
    audit,
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
  expect(steps).toEqual(['schema.import fil_1 recorded', 'chunk stored', 'schema 7 read', 'queued']);
});

it('a failed import upload leaves no file behind', async () => {
  const { service, steps } = setUp({ enqueue: () => Promise.reject(new AppError('limit.concurrency')) });
  await expect(service.import(CALL, Readable.from([Buffer.from('SELECT 1;')]), {})).rejects.toMatchObject({
    code: 'limit.concurrency',
  });
  expect(steps.at(-1)).toBe('file removed');
});

const lost = (): Error => Object.assign(new Error('the connection was lost'), { code: 'ECONNRESET' });

it('an interrupted upload is an error of the request, and a lost database connection is not', async () => {
  const interrupted = Readable.from(
    (async function* () {
      yield Buffer.from('SELECT 1;');
      throw lost();
    })(),
  );
  await expect(setUp().service.import(CALL, interrupted, {})).rejects.toMatchObject({
    code: 'request.malformed',
    detail: 'The upload was interrupted.',
  });
  for (const failing of ['write', 'enqueue'] as const) {
    const { service, steps } = setUp({ [failing]: () => Promise.reject(lost()) });
    await expect(
      service.import(CALL, Readable.from([Buffer.from('SELECT 1;')]), {}),
    ).rejects.not.toMatchObject({ code: 'request.malformed' });
    expect(steps.at(-1)).toBe('file removed');
  }
});

import type { AdminSession } from '@rowhouse/mysql';
import { LeaseLostError, type ClaimedTask } from '@rowhouse/platform-store';
import { createLogger } from '@rowhouse/runtime';
import { AppError } from '@rowhouse/errors';
import { expect, it } from 'vitest';
import type { HeldLease, WorkerContext } from '../worker-context.js';
import { runTask } from './run-task.js';

const AWAY = new AppError('db.unavailable', { internal: 'away' });

interface Ran {
  /** The recorded writes of the task: each call's name and arguments. */
  readonly written: unknown[];
  readonly error: unknown;
}

/**
 * Runs a task whose first read of the platform's tables throws `fault`.
 * With `isLost`, its lease is lost after that read.
 */
async function run(
  kind: ClaimedTask['kind'],
  fault: Error,
  {
    attempt = 1,
    isLost = false,
    payload = {},
  }: { attempt?: number; isLost?: boolean; payload?: object } = {},
): Promise<Ran> {
  const controller = new AbortController();
  const lease: HeldLease = {
    signal: controller.signal,
    assertHeld: () => controller.signal.throwIfAborted(),
  };
  const written: unknown[] = [];
  const write =
    (name: string) =>
    async (...values: unknown[]): Promise<void> =>
      void written.push([
        name,
        ...values.filter((value) => typeof value === 'string' || typeof value === 'number'),
      ]);
  const check = (): Promise<never> => {
    if (isLost) controller.abort();
    return Promise.reject(fault);
  };
  const tasks = {
    complete: write('complete'),
    release: (_task: unknown, delayMs: number) => write('release')(delayMs),
    fail: async (
      _task: unknown,
      error: { code: string },
      _payload: unknown,
      note: (session: AdminSession) => Promise<void>,
    ) => {
      await write('fail')(error.code);
      await note({} as AdminSession);
    },
  };
  const ctx = {
    tasks,
    logger: createLogger('test', 'silent'),
    failPoint: () => undefined,
    platform: {},
    values: {},
    access: {},
    directory: {
      readServer: check,
      readPlace: check,
      readDatabase: check,
      markProvisionFailed: write('markProvisionFailed'),
    },
    transfers: {
      beginLoad: check,
      endLoad: write('endLoad'),
      failFile: write('failFile'),
      dropPieces: write('dropPieces'),
    },
  } as unknown as WorkerContext;
  const error: unknown = await runTask(
    ctx,
    { id: 'tsk_1', kind, payload, databaseId: null, attempt } as unknown as ClaimedTask,
    lease,
  ).then(
    () => null,
    (error: unknown) => error,
  );
  return { written, error };
}

it('a failed task and its subject are marked as failed', async () => {
  expect(
    await run('export_database', new AppError('resource.not_found'), { payload: { file_id: 'fil_1' } }),
  ).toEqual({
    written: [
      ['fail', 'resource.not_found'],
      ['failFile', 'fil_1'],
      ['dropPieces', 'fil_1'],
    ],
    error: null,
  });
  expect(
    (
      await run('load_rows', new AppError('resource.not_found'), {
        payload: { file_id: 'fil_1', load_id: 'lod_1' },
      })
    ).written,
  ).toEqual([
    ['fail', 'resource.not_found'],
    ['endLoad', 'lod_1', 'failed'],
  ]);
});

it('a task writes nothing once its job lease is lost', async () => {
  for (const fault of [AWAY, new Error('the session was dropped'), new AppError('resource.not_found')]) {
    const { written, error } = await run('load_rows', fault, {
      isLost: true,
      payload: { load_id: 'lod_1', file_id: 'fil_1' },
    });
    expect(written).toEqual([]);
    expect(error).toBeInstanceOf(LeaseLostError);
  }
});

it('a task is retried for a while if its server is down, or without limit to remove access', async () => {
  expect((await run('probe_server', AWAY, { attempt: 2 })).written).toEqual([['release', 1_000]]);
  expect((await run('probe_server', AWAY, { attempt: 6 })).written).toEqual([['fail', 'db.unavailable']]);
  expect((await run('revoke_connection', AWAY, { attempt: 6 })).written).toEqual([['release', 3_000]]);
  expect((await run('drop_database', AWAY, { attempt: 5_000 })).written).toEqual([['release', 300_000]]);
});

import { expect, it } from 'vitest';
import { WritesPausedError, ConnectionLostError, DatabaseFault } from '../faults.js';
import { makeFakeSession } from '../testing/fake-session.js';
import { ignoreRows } from '../row-sinks.js';
import { createPlainExecutor } from './plain-executor.js';
import type { Settled } from '../session/statement-sender.js';
import { runStatements } from './run-statements.js';
import type { RunMode, RunStatement, RunTarget, SessionSource } from './run-options.js';
import { UnreadableColumnsError } from '../wire/execute-response.js';

const TARGET = { account: {} } as RunTarget;

/**
 * Creates a pool with one session that returns the given responses in order. A number is an error number, and
 * null means success.
 */
function makePools(responses: (number | null)[]): { pools: SessionSource; sent: string[] } {
  const sent: string[] = [];
  const respond = async (sql: string): Promise<unknown> => {
    sent.push(sql);
    const errno = responses.shift() ?? null;
    if (errno !== null) throw new DatabaseFault(errno, '40001', 'no');
    return { rows: undefined };
  };
  const session = makeFakeSession({ run: respond, command: async (sql: string) => void sent.push(sql) });
  return { pools: { acquire: async () => session, release: () => undefined }, sent };
}

async function attempt(mode: RunMode, responses: (number | null)[], statements = ['a']): Promise<string[]> {
  const { pools, sent } = makePools(responses);
  const callback = async (run: RunStatement): Promise<void> => {
    for (const sql of statements) await run(sql, [], ignoreRows);
  };
  await runStatements(pools, TARGET, { mode, waitMs: 1 }, callback).catch((error: unknown) =>
    sent.push(String((error as DatabaseFault).errno)),
  );
  return sent;
}

/** The statements of a transaction that is repeated once. */
const REPEATED = ['START TRANSACTION', 'a', 'ROLLBACK', 'START TRANSACTION', 'a', 'COMMIT'];

it('a statement that meets a deadlock is repeated, and fails after several attempts', async () => {
  expect(await attempt('write', [1213, 1213, null])).toEqual(['a', 'a', 'a']);
  expect(
    await attempt(
      'write',
      Array.from({ length: 20 }, () => 1213),
    ),
  ).toEqual([...Array.from({ length: 9 }, () => 'a'), '1213']);
  expect(await attempt('transaction', [1213, null])).toEqual(REPEATED);
});

it('a statement whose node left the cluster runs again on another node', async () => {
  expect(await attempt('write', [1047, 1047, null])).toEqual(['a', 'a', 'a']);
  expect(await attempt('transaction', [1047, null])).toEqual(REPEATED);
  expect(await attempt('write', [null, 1047], ['write', 'read'])).toEqual(['write', 'read', '1047']);
  const { pools } = makePools(Array.from({ length: 20 }, () => 1047));
  await expect(
    runStatements(pools, TARGET, { mode: 'read', waitMs: 1 }, (run) => run('a', [], ignoreRows)),
  ).rejects.toMatchObject({ code: 'db.unavailable', retryAfterSeconds: 1 });
});

it('the outcome of a write is unknown when the server failed to commit', async () => {
  const { pools } = makePools([1180]);
  await expect(
    runStatements(pools, TARGET, { mode: 'write', waitMs: 1 }, (run) => run('a', [], ignoreRows)),
  ).rejects.toMatchObject({ code: 'db.outcome_unknown' });
});

it('a statement that meets a lock wait timeout runs at most twice', async () => {
  expect(await attempt('write', [1205, 1205, null])).toEqual(['a', 'a', '1205']);
});

it('a write is not repeated if only reading its row back has failed', async () => {
  expect(await attempt('write', [null, 1205, null], ['write', 'read'])).toEqual(['write', 'read', '1205']);
  expect(await attempt('read', [null, 1205, null, null], ['read', 'more'])).toEqual([
    'read',
    'more',
    'read',
    'more',
  ]);
});

const DONE = { kind: 'done', result: { rows: 'together' } } as unknown as Settled<never>;
const failed = (error: unknown): Settled<never> => ({ kind: 'failed', error });

/**
 * Runs a write and a read as a pair, on a session that returns the given results. Returns the outcome and the
 * statements that were sent afterwards.
 */
async function attemptPair(
  settled: readonly [Settled<never>, Settled<never>] | null | Error,
): Promise<{ sent: string[]; outcome: unknown }> {
  const sent: string[] = [];
  const run = async (sql: string): Promise<unknown> => {
    sent.push(sql);
    return { rows: 'alone' };
  };
  const runPair = async (): Promise<unknown> => {
    if (settled instanceof Error) throw settled;
    return settled;
  };
  const session = makeFakeSession({ run, runPair });
  const pools: SessionSource = { acquire: async () => session, release: () => undefined };
  const part = (sql: string) => ({ sql, values: [], makeSink: () => ignoreRows });
  const outcome = await createPlainExecutor(pools)
    .writeRecord(TARGET, { waitMs: 1 }, { write: part('write'), read: part('read') })
    .then(
      (results) => results.map((result) => result?.rows as unknown),
      (error: DatabaseFault) => ({
        errno: error.errno,
        isBehindWrite: error.isBehindWrite,
        code: (error as { code?: string }).code,
      }),
    );
  return { sent, outcome };
}

it('a write and the read of its row are sent together, and neither is repeated', async () => {
  const rejected = failed(new DatabaseFault(1062, '23000', 'no'));
  const stale = failed(new DatabaseFault(1243, 'HY000', 'no'));
  expect(await attemptPair([DONE, DONE])).toEqual({ sent: [], outcome: ['together', 'together'] });
  expect(await attemptPair(null)).toEqual({ sent: ['write', 'read'], outcome: ['alone', 'alone'] });
  expect(await attemptPair([stale, DONE])).toEqual({ sent: ['write', 'read'], outcome: ['alone', 'alone'] });
  expect(await attemptPair([failed(new DatabaseFault(1146, '42S02', 'no')), DONE])).toEqual({
    sent: ['write', 'read'],
    outcome: ['alone', 'alone'],
  });
  expect(await attemptPair([DONE, stale])).toEqual({ sent: ['read'], outcome: ['together', 'alone'] });
  expect(await attemptPair([DONE, failed(new UnreadableColumnsError())])).toEqual({
    sent: ['read'],
    outcome: ['together', 'alone'],
  });
  expect(await attemptPair([rejected, DONE])).toMatchObject({
    sent: [],
    outcome: { errno: 1062, isBehindWrite: false },
  });
  expect(await attemptPair([DONE, failed(new DatabaseFault(1054, '42S22', 'no'))])).toMatchObject({
    sent: [],
    outcome: { errno: 1054, isBehindWrite: true },
  });
  expect(await attemptPair([failed(new ConnectionLostError('gone')), DONE])).toMatchObject({
    sent: [],
    outcome: { code: 'db.outcome_unknown' },
  });
  expect(await attemptPair(new ConnectionLostError('gone'))).toMatchObject({
    sent: [],
    outcome: { code: 'db.outcome_unknown' },
  });
});

/**
 * Runs a transaction that begins with a pair of a write and a read, on a session that returns the given
 * results. Returns its outcome.
 */
async function attemptBound(
  settled: readonly [Settled<never>, Settled<never>, Error | null] | null,
): Promise<unknown[]> {
  const { pools, sent } = makePools([]);
  const session = Object.assign(await pools.acquire(TARGET.server, TARGET.account, 1), {
    runPair: async (
      _write: unknown,
      _read: unknown,
      _ms: unknown,
      ahead: string | null,
    ): Promise<unknown> => {
      if (settled !== null) sent.push(`${ahead ?? ''} + pair`);
      return settled;
    },
  });
  const part = (sql: string) => ({ sql, values: [], makeSink: () => ignoreRows });
  const sessions: SessionSource = { ...pools, acquire: async () => session };
  const outcome = await runStatements(sessions, TARGET, { mode: 'transaction', waitMs: 1 }, (_run, runPair) =>
    runPair(part('write'), part('read')).then(() => 'done'),
  ).catch((error: DatabaseFault & { code?: string }) => error.code ?? error.errno);
  return [...sent, outcome];
}

it('a transaction is sent in one round trip with its statements, and rejects if START fails', async () => {
  const rejected = new DatabaseFault(1047, '08S01', 'no');
  expect(await attemptBound([DONE, DONE, null])).toEqual(['START TRANSACTION + pair', 'COMMIT', 'done']);
  expect(await attemptBound(null)).toEqual(['START TRANSACTION', 'write', 'read', 'COMMIT', 'done']);
  expect(await attemptBound([failed(new DatabaseFault(1062, '23000', 'no')), DONE, null])).toEqual([
    'START TRANSACTION + pair',
    'ROLLBACK',
    1062,
  ]);
  expect(await attemptBound([DONE, failed(new DatabaseFault(1054, '42S22', 'no')), null])).toEqual([
    'START TRANSACTION + pair',
    'ROLLBACK',
    1054,
  ]);
  expect(await attemptBound([failed(new DatabaseFault(1243, 'HY000', 'no')), DONE, null])).toEqual([
    'START TRANSACTION + pair',
    'write',
    'read',
    'COMMIT',
    'done',
  ]);
  expect(await attemptBound([DONE, DONE, rejected])).toEqual([
    'START TRANSACTION + pair',
    'ROLLBACK',
    'db.outcome_unknown',
  ]);
  expect(
    await attemptBound([
      failed(new DatabaseFault(1062, '23000', 'no')),
      DONE,
      new DatabaseFault(1064, '42000', 'no'),
    ]),
  ).toEqual(['START TRANSACTION + pair', 'ROLLBACK', 1064]);
  expect((await attempt('transaction', [null, null], ['a', 'b'])).slice(0, 3)).toEqual([
    'START TRANSACTION',
    'a',
    'b',
  ]);
});

/** Runs one write without a read. Returns its outcome. */
async function attemptAlone(
  responses: (number | null)[],
  target = TARGET,
): Promise<{ sent: string[]; released: number; code: unknown }> {
  const { pools, sent } = makePools(responses);
  let released = 0;
  const counted: SessionSource = { ...pools, release: () => void (released += 1) };
  const write = { sql: 'write', values: [], makeSink: () => ignoreRows };
  const code = await createPlainExecutor(counted)
    .writeRecord(target, { waitMs: 1 }, { write, read: null })
    .then(
      () => 'done',
      (error: unknown) => (error as { code?: string }).code ?? (error as DatabaseFault).errno ?? error,
    );
  return { sent, released, code };
}

it('a write that is not pipelined is repeated after a deadlock', async () => {
  expect(await attemptAlone([null])).toEqual({ sent: ['write'], released: 1, code: 'done' });
  expect(await attemptAlone([1213, 1213, null])).toEqual({
    sent: ['write', 'write', 'write'],
    released: 3,
    code: 'done',
  });
  expect(await attemptAlone([1205, 1205, null])).toEqual({
    sent: ['write', 'write'],
    released: 2,
    code: 1205,
  });
  expect(await attemptAlone([1062])).toEqual({ sent: ['write'], released: 1, code: 1062 });
  expect(await attemptAlone([1180])).toEqual({ sent: ['write'], released: 1, code: 'db.outcome_unknown' });
});

it('a write is not sent while writes of its account are paused', async () => {
  const held = await attemptAlone([null], { account: { isPaused: () => true } } as RunTarget);
  expect(held).toMatchObject({ sent: [], released: 1 });
  expect(held.code).toBeInstanceOf(WritesPausedError);
});

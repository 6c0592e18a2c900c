import { describe, expect, it } from 'vitest';
import { WritesPausedError, ConnectionLostError, DatabaseFault } from '../faults.js';
import { keepRows } from '../testing/keep-rows.js';
import type { WireCommand } from './driver-wire.js';
import { NotPipelinableError } from './pipelined-connection.js';
import { createWritePipeline, type WritePipeline } from './write-pipeline.js';

const IN_TRANSACTION = 3;
const AUTOCOMMIT = 2;

/** The response to a write that changed one record. `state` contains the flag of an open transaction. */
const ok = (state: number): Buffer => Buffer.from([0, 1, 0, state, 0, 0, 0]);
const rejection = (errno: number): Buffer =>
  Buffer.from([0xff, errno & 0xff, errno >> 8, ...Buffer.from('#HY000no')]);

interface Opened {
  readonly pipeline: WritePipeline;
  /** The sent commands, by name. */
  readonly sent: string[][];
  readonly answer: (...packets: readonly Buffer[]) => void;
  readonly reported: [string, number | null][];
  readonly lost: Error[];
  readonly released: () => number;
  readonly forgotten: string[];
}

const NAMES: Record<number, string> = { 0x0e: 'PING', 0x17: 'EXECUTE' };

function readCommands(bytes: Uint8Array): string[] {
  const all = Buffer.from(bytes);
  const names: string[] = [];
  for (let offset = 0; offset < all.length; offset += 4 + all.readUIntLE(offset, 3))
    names.push(
      NAMES[all[offset + 4] ?? 0] ??
        all.toString('latin1', offset + 5, offset + 4 + all.readUIntLE(offset, 3)),
    );
  return names;
}

/** Opens a pipelined connection on which the test plays the server. */
function openPipelinedConnection(isPaused = (): boolean => false): Opened {
  const queue: WireCommand[] = [];
  const [sent, message, lost, forgotten]: [string[][], [string, number | null][], Error[], string[]] = [
    [],
    [],
    [],
    [],
  ];
  let released = 0;
  const writePipeline: WritePipeline = createWritePipeline({
    wire: {
      sequenceId: 0,
      compressedSequenceId: 0,
      _mariadbExtendedMetadata: false,
      write: (bytes) => void sent.push(readCommands(bytes)),
      addCommand: (added) => void (queue.push(added), added.execute(undefined)),
    },
    isPaused,
    forget: (sql) => void forgotten.push(sql),
    onIdle: () => void (released += 1),
    prepare: (sql, onReady, onFault) =>
      sql.includes('nowhere')
        ? onFault(new DatabaseFault(1146, '42S02', 'no'))
        : onReady({ id: 1, definitions: [], layout: null }),
    onResponse: (sql, fault) => void message.push([sql, fault instanceof DatabaseFault ? fault.errno : null]),
    onLost(error) {
      lost.push(error);
      writePipeline.fail(error, false);
    },
  });
  return {
    pipeline: writePipeline,
    sent,
    reported: message,
    lost,
    forgotten,
    released: () => released,
    answer: (...packets) =>
      packets.forEach(
        (buffer) =>
          void (
            queue.at(-1)?.execute({ buffer, offset: 0, end: buffer.length, sequenceId: 1 }) === true &&
            queue.pop()
          ),
      ),
  };
}

const write = (writePipeline: WritePipeline, sql = 'UPDATE t'): Promise<unknown> =>
  writePipeline.run({ write: { sql, values: [1], makeSink: keepRows }, read: null }).then(
    ({ written }) => written.counts.affectedRows,
    (error: unknown) => error,
  );
const nextSlice = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const [OPENED, CHANGED, STANDS, DONE] = [
  ok(IN_TRANSACTION),
  ok(IN_TRANSACTION),
  ok(IN_TRANSACTION),
  ok(AUTOCOMMIT),
];

describe('grouped writes', () => {
  it('several writes of one event loop iteration form a transaction', async () => {
    const { pipeline: writePipeline, sent, answer, released } = openPipelinedConnection();
    const first = write(writePipeline);
    await nextSlice();
    expect(sent).toEqual([['EXECUTE']]);
    const others = [write(writePipeline), write(writePipeline)];
    await nextSlice();
    expect(sent).toHaveLength(1);
    answer(ok(AUTOCOMMIT));
    expect(await first).toBe(1);
    await nextSlice();
    expect(sent[1]).toEqual(['START TRANSACTION', 'EXECUTE', 'EXECUTE', 'PING', 'COMMIT']);
    answer(OPENED, CHANGED, CHANGED, STANDS, DONE);
    expect(await Promise.all(others)).toEqual([1, 1]);
    await nextSlice();
    expect(released()).toBe(1);
  });

  it('a grouped write resolves after the COMMIT was acknowledged', async () => {
    const { pipeline: writePipeline, answer } = openPipelinedConnection();
    let answered = 0;
    const writes = [write(writePipeline), write(writePipeline)].map((item) =>
      item.then(() => (answered += 1)),
    );
    await nextSlice();
    answer(OPENED, CHANGED, CHANGED, STANDS);
    await nextSlice();
    expect(answered).toBe(0);
    answer(DONE);
    await Promise.all(writes);
    expect(answered).toBe(2);
  });

  it('a rejected write leaves its group, and the others of the group are committed', async () => {
    const { pipeline: writePipeline, answer, reported: message } = openPipelinedConnection();
    const writes = [write(writePipeline, 'UPDATE a'), write(writePipeline, 'UPDATE b')];
    await nextSlice();
    answer(OPENED, rejection(1062), CHANGED, STANDS, DONE);
    expect(await Promise.all(writes)).toEqual([expect.any(NotPipelinableError), 1]);
    expect(message).toEqual([
      ['UPDATE a', 1062],
      ['UPDATE b', null],
    ]);
  });

  it('a grouped write whose row was locked is retried once in the next group', async () => {
    const { pipeline: writePipeline, answer, sent, reported: message } = openPipelinedConnection();
    const locked = write(writePipeline);
    await nextSlice();
    answer(rejection(1205));
    await nextSlice();
    expect([sent.length, message]).toEqual([2, []]);
    answer(rejection(1205));
    expect(await locked).toBeInstanceOf(NotPipelinableError);
    expect(message).toEqual([['UPDATE t', 1205]]);
  });

  it('a rollback by the server undoes earlier writes of a group, but not later ones', async () => {
    const { pipeline: writePipeline, answer } = openPipelinedConnection();
    const writes = [
      write(writePipeline, 'UPDATE a'),
      write(writePipeline, 'UPDATE b'),
      write(writePipeline, 'UPDATE c'),
    ];
    await nextSlice();
    answer(OPENED, CHANGED, rejection(1180), ok(AUTOCOMMIT), ok(AUTOCOMMIT), DONE);
    expect(await Promise.all(writes)).toEqual([
      expect.any(NotPipelinableError),
      expect.any(NotPipelinableError),
      1,
    ]);
  });

  it('grouped writes reject with ConnectionLostError when their transaction ends unexpectedly', async () => {
    const { pipeline: writePipeline, answer } = openPipelinedConnection();
    const writes = [write(writePipeline), write(writePipeline)];
    await nextSlice();
    answer(OPENED, CHANGED, CHANGED, ok(AUTOCOMMIT), DONE);
    for (const item of await Promise.all(writes)) expect(item).toBeInstanceOf(ConnectionLostError);
  });

  it('a rejected COMMIT ends the session of grouped writes', async () => {
    for (const [errno, kind] of [
      [1205, NotPipelinableError],
      [1026, DatabaseFault],
    ] as const) {
      const { pipeline: writePipeline, answer, lost } = openPipelinedConnection();
      const writes = [write(writePipeline), write(writePipeline)];
      await nextSlice();
      answer(OPENED, CHANGED, CHANGED, STANDS, rejection(errno));
      for (const item of await Promise.all(writes)) expect(item).toBeInstanceOf(kind);
      expect(lost).toHaveLength(1);
    }
  });

  it('a lost session is reported for grouped writes that were sent, and other writes run again', async () => {
    const { pipeline: writePipeline, answer } = openPipelinedConnection();
    const sent = [write(writePipeline), write(writePipeline)];
    await nextSlice();
    const later = write(writePipeline);
    answer(OPENED, CHANGED);
    writePipeline.fail(new Error('gone'), false);
    for (const item of await Promise.all(sent)) expect(item).toBeInstanceOf(ConnectionLostError);
    expect(await later).toBeInstanceOf(NotPipelinableError);
    expect(await write(writePipeline)).toBeInstanceOf(NotPipelinableError);
  });

  it('a write that cannot be prepared or encoded rejects with NotPipelinableError', async () => {
    const { pipeline: writePipeline, answer } = openPipelinedConnection();
    const others = [
      write(writePipeline, 'UPDATE nowhere'),
      writePipeline
        .run({ write: { sql: 'UPDATE t', values: ['x'.repeat(2_000_000)], makeSink: keepRows }, read: null })
        .catch((error: unknown) => error),
    ];
    const item = write(writePipeline);
    await nextSlice();
    answer(ok(AUTOCOMMIT));
    expect(await item).toBe(1);
    for (const other of await Promise.all(others)) expect(other).toBeInstanceOf(NotPipelinableError);
  });

  it('a write pipeline sends nothing while writes of the account are paused', async () => {
    let isPaused = false;
    const { pipeline: writePipeline, sent, answer } = openPipelinedConnection(() => isPaused);
    const first = write(writePipeline);
    await nextSlice();
    const others = [write(writePipeline), write(writePipeline)];
    isPaused = true;
    answer(ok(AUTOCOMMIT));
    expect(await first).toBe(1);
    for (const item of await Promise.all(others)) expect(item).toBeInstanceOf(WritesPausedError);
    expect(sent).toHaveLength(1);
  });

  it('a write is prepared again when the server no longer knows its prepared statement', async () => {
    const { pipeline: writePipeline, answer, forgotten } = openPipelinedConnection();
    const item = write(writePipeline);
    await nextSlice();
    answer(rejection(1243));
    expect(await item).toBeInstanceOf(NotPipelinableError);
    expect(forgotten).toEqual(['UPDATE t']);
  });
});

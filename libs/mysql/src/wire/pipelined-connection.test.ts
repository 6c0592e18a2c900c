import { describe, expect, it } from 'vitest';
import { ConnectionLostError } from '../faults.js';
import { keepRows } from '../testing/keep-rows.js';
import type { DriverWire, WireCommand } from './driver-wire.js';
import {
  createPipelinedConnection,
  NotPipelinableError,
  type PipelinedConnection,
} from './pipelined-connection.js';

/** Returns one row with one INT as the server sends it: header, definition, end, row, end. */
function answerOf(value: number): Buffer[] {
  const definition = Buffer.concat([
    ...['def', 's', 't', 't', 'id', 'id'].map((text) =>
      Buffer.from(`${String.fromCharCode(text.length)}${text}`, 'latin1'),
    ),
    Buffer.from([0x0c, 63, 0, 11, 0, 0, 0, 3, 0, 0, 0, 0, 0]),
  ]);
  return [
    Buffer.from([1]),
    definition,
    Buffer.from([0xfe, 0, 0, 2, 0]),
    Buffer.from([0, 0, value, 0, 0, 0]),
    Buffer.from([0xfe, 0, 0, 2, 0]),
  ];
}

/** The packet `Server shutdown in progress`, which a stopping server sends to every client. */
const STOPS = Buffer.from([0xff, 0x1d, 0x04, ...Buffer.from('#08S01Server shutdown in progress')]);

interface Opened {
  readonly pipeline: PipelinedConnection;
  readonly feed: (packets: readonly Buffer[], firstSequenceId?: number) => void;
  readonly lost: Error[];
  readonly written: () => number;
  /** Returns how often the session was returned. */
  readonly released: () => number;
}

/**
 * Opens a pipelined connection on which the test plays the server. With `isMute`, the server never responds
 * to a PREPARE.
 */
function openPipelinedConnection(isMute = false): Opened {
  let command: WireCommand | null = null;
  let written = 0;
  let released = 0;
  const lost: Error[] = [];
  const wire: DriverWire = {
    sequenceId: 0,
    compressedSequenceId: 0,
    _mariadbExtendedMetadata: false,
    write: () => void (written += 1),
    addCommand(added) {
      command = added;
      added.execute(undefined);
    },
  };
  const statement = { id: 1, definitions: [], layout: null };
  const pipeline: PipelinedConnection = createPipelinedConnection({
    wire,
    forget: () => undefined,
    onIdle: () => void (released += 1),
    prepare: (_sql, onReady) => void (isMute || onReady(statement)),
    onLost(error) {
      lost.push(error);
      pipeline.fail(error, false);
    },
  });
  return {
    pipeline,
    lost,
    written: () => written,
    released: () => released,
    feed(packets, firstSequenceId = 1) {
      packets.forEach((buffer, offset) =>
        command?.execute({ buffer, offset: 0, end: buffer.length, sequenceId: firstSequenceId + offset }),
      );
    },
  };
}

describe('pipelined connection', () => {
  const read = (pipeline: PipelinedConnection): Promise<unknown> =>
    pipeline.run({ sql: 'SELECT id FROM t WHERE id = ?', params: ['1'] }, keepRows()).then(
      ({ rows }) => rows,
      (error: unknown) => error,
    );
  const nextSlice = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('pipelined statements of one event loop iteration are sent at once and resolve in order', async () => {
    const { pipeline, feed, written } = openPipelinedConnection();
    const reads = [read(pipeline), read(pipeline), read(pipeline)];
    await nextSlice();
    expect(written()).toBe(1);
    for (const value of [7, 8, 9]) feed(answerOf(value));
    expect(await Promise.all(reads)).toEqual([[[7]], [[8]], [[9]]]);
  });

  it('a packet that belongs to no statement ends the pipelined connection', async () => {
    const { pipeline, feed, lost } = openPipelinedConnection();
    const reads = [read(pipeline), read(pipeline), read(pipeline)];
    await nextSlice();
    feed(answerOf(7));
    feed([STOPS], 0);
    for (const value of [8, 9]) feed(answerOf(value));
    const [first, ...others] = await Promise.all(reads);
    expect(first).toEqual([[7]]);
    for (const other of others) expect(other).toBeInstanceOf(ConnectionLostError);
    expect(lost).toHaveLength(1);
  });

  it('a statement that is being prepared rejects when its session ends', async () => {
    const { pipeline, released } = openPipelinedConnection(true);
    const reads = [read(pipeline), read(pipeline)];
    expect(pipeline.oldestMs()).toBeLessThanOrEqual(performance.now());
    pipeline.fail(new Error('a statement did not stop'), true);
    for (const item of await Promise.all(reads)) {
      expect(item).toBeInstanceOf(ConnectionLostError);
      expect(item).toMatchObject({ isTimeout: false });
    }
    expect(released()).toBe(1);
  });

  it('a pipelined connection returns its session once, even if a rejection or an end follows', async () => {
    const { pipeline, feed, released } = openPipelinedConnection();
    const first = read(pipeline);
    await nextSlice();
    // The sink is rejected. After the response has arrived, the connection checks again whether work is left.
    const rejected = pipeline
      .run({ sql: 'SELECT 1', params: [] }, { ...keepRows(), columns: () => undefined })
      .catch((error: unknown) => error);
    feed(answerOf(7));
    expect(released()).toBe(1);
    await nextSlice();
    expect([await first, await rejected, released()]).toEqual([[[7]], expect.any(NotPipelinableError), 1]);
    pipeline.fail(new Error('the session has ended'), false);
    expect(released()).toBe(1);
  });
});

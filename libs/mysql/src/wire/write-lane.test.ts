import { describe, expect, it } from 'vitest';
import { AccountShut, ConnectionLost, DatabaseFault } from '../pool-fault.js';
import { keepRows } from '../testing/keep-rows.js';
import type { WireCommand } from './driver-wire.js';
import { NotForLane } from './lane.js';
import { createWriteLane, type WriteLane } from './write-lane.js';

const IN_TRANSACTION = 3;
const AUTOCOMMIT = 2;

/** One changed record, and whether a transaction is open afterwards. */
const ok = (state: number): Buffer => Buffer.from([0, 1, 0, state, 0, 0, 0]);
const refusal = (errno: number): Buffer => Buffer.from([0xff, errno & 0xff, errno >> 8, ...Buffer.from('#HY000no')]);

interface Opened {
  readonly lane: WriteLane;
  /** The sent commands, by name. */
  readonly sent: string[][];
  readonly answer: (...packets: readonly Buffer[]) => void;
  readonly said: [string, number | null][];
  readonly lost: Error[];
  readonly released: () => number;
  readonly forgotten: string[];
}

const NAMES: Record<number, string> = { 0x0e: 'PING', 0x17: 'EXECUTE' };

function readCommands(bytes: Uint8Array): string[] {
  const all = Buffer.from(bytes);
  const names: string[] = [];
  for (let at = 0; at < all.length; at += 4 + all.readUIntLE(at, 3)) names.push(NAMES[all[at + 4] ?? 0] ?? all.toString('latin1', at + 5, at + 4 + all.readUIntLE(at, 3)));
  return names;
}

/** Opens a pipelined connection whose server is the test. */
function openLane(isShut = (): boolean => false): Opened {
  const queue: WireCommand[] = [];
  const [sent, said, lost, forgotten]: [string[][], [string, number | null][], Error[], string[]] = [[], [], [], []];
  let released = 0;
  const lane: WriteLane = createWriteLane({
    wire: {
      sequenceId: 0, compressedSequenceId: 0, _mariadbExtendedMetadata: false,
      write: (bytes) => void sent.push(readCommands(bytes)),
      addCommand: (added) => void (queue.push(added), added.execute(undefined)),
    },
    isShut,
    forget: (sql) => void forgotten.push(sql),
    onIdle: () => void (released += 1),
    prepare: (sql, onReady, onFault) => (sql.includes('nowhere') ? onFault(new DatabaseFault(1146, '42S02', 'no')) : onReady({ id: 1, definitions: [], layout: null })),
    onAnswered: (sql, fault) => void said.push([sql, fault instanceof DatabaseFault ? fault.errno : null]),
    onLost(error) {
      lost.push(error);
      lane.fail(error, false);
    },
  });
  return {
    lane, sent, said, lost, forgotten,
    released: () => released,
    answer: (...packets) => packets.forEach((buffer) => void (queue.at(-1)?.execute({ buffer, offset: 0, end: buffer.length, sequenceId: 1 }) === true && queue.pop())),
  };
}

const write = (lane: WriteLane, sql = 'UPDATE t'): Promise<unknown> => lane.run({ write: { sql, values: [1], makeSink: keepRows }, read: null }).then(({ written }) => written.counts.affectedRows, (error: unknown) => error);
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const [OPENED, CHANGED, STANDS, DONE] = [ok(IN_TRANSACTION), ok(IN_TRANSACTION), ok(IN_TRANSACTION), ok(AUTOCOMMIT)];

describe('grouped writes', () => {
  it('a single write is sent separately, and those of one slice as one transaction in one write', async () => {
    const { lane, sent, answer, released } = openLane();
    const first = write(lane);
    await nextTurn();
    expect(sent).toEqual([['EXECUTE']]);
    const others = [write(lane), write(lane)];
    await nextTurn();
    expect(sent).toHaveLength(1);
    answer(ok(AUTOCOMMIT));
    expect(await first).toBe(1);
    await nextTurn();
    expect(sent[1]).toEqual(['START TRANSACTION', 'EXECUTE', 'EXECUTE', 'PING', 'COMMIT']);
    answer(OPENED, CHANGED, CHANGED, STANDS, DONE);
    expect(await Promise.all(others)).toEqual([1, 1]);
    await nextTurn();
    expect(released()).toBe(1);
  });

  it('no caller gets a response before the COMMIT', async () => {
    const { lane, answer } = openLane();
    let answered = 0;
    const writes = [write(lane), write(lane)].map((one) => one.then(() => (answered += 1)));
    await nextTurn();
    answer(OPENED, CHANGED, CHANGED, STANDS);
    await nextTurn();
    expect(answered).toBe(0);
    answer(DONE);
    await Promise.all(writes);
    expect(answered).toBe(2);
  });

  it('a rejected write runs again separately, and the others are kept', async () => {
    const { lane, answer, said } = openLane();
    const writes = [write(lane, 'UPDATE a'), write(lane, 'UPDATE b')];
    await nextTurn();
    answer(OPENED, refusal(1062), CHANGED, STANDS, DONE);
    expect(await Promise.all(writes)).toEqual([expect.any(NotForLane), 1]);
    expect(said).toEqual([['UPDATE a', 1062], ['UPDATE b', null]]);
  });

  it('a write whose row was locked is tried once more with the next group', async () => {
    const { lane, answer, sent, said } = openLane();
    const locked = write(lane);
    await nextTurn();
    answer(refusal(1205));
    await nextTurn();
    expect([sent.length, said]).toEqual([2, []]);
    answer(refusal(1205));
    expect(await locked).toBeInstanceOf(NotForLane);
    expect(said).toEqual([['UPDATE t', 1205]]);
  });

  it('a rollback by the server undoes earlier writes but not later ones', async () => {
    const { lane, answer } = openLane();
    const writes = [write(lane, 'UPDATE a'), write(lane, 'UPDATE b'), write(lane, 'UPDATE c')];
    await nextTurn();
    answer(OPENED, CHANGED, refusal(1180), ok(AUTOCOMMIT), ok(AUTOCOMMIT), DONE);
    expect(await Promise.all(writes)).toEqual([expect.any(NotForLane), expect.any(NotForLane), 1]);
  });

  it('the outcome of a transaction that ended without a reason is unknown', async () => {
    const { lane, answer } = openLane();
    const writes = [write(lane), write(lane)];
    await nextTurn();
    answer(OPENED, CHANGED, CHANGED, ok(AUTOCOMMIT), DONE);
    for (const one of await Promise.all(writes)) expect(one).toBeInstanceOf(ConnectionLost);
  });

  it('a rejected COMMIT ends the session, and its writes run separately or report the fault', async () => {
    for (const [errno, kind] of [[1205, NotForLane], [1026, DatabaseFault]] as const) {
      const { lane, answer, lost } = openLane();
      const writes = [write(lane), write(lane)];
      await nextTurn();
      answer(OPENED, CHANGED, CHANGED, STANDS, refusal(errno));
      for (const one of await Promise.all(writes)) expect(one).toBeInstanceOf(kind);
      expect(lost).toHaveLength(1);
    }
  });

  it('a lost session is reported for sent writes, and all others run separately', async () => {
    const { lane, answer } = openLane();
    const sent = [write(lane), write(lane)];
    await nextTurn();
    const later = write(lane);
    answer(OPENED, CHANGED);
    lane.fail(new Error('gone'), false);
    for (const one of await Promise.all(sent)) expect(one).toBeInstanceOf(ConnectionLost);
    expect(await later).toBeInstanceOf(NotForLane);
    expect(await write(lane)).toBeInstanceOf(NotForLane);
  });

  it('a write that cannot be prepared or is too long uses the plain path, and others continue', async () => {
    const { lane, answer } = openLane();
    const others = [write(lane, 'UPDATE nowhere'), lane.run({ write: { sql: 'UPDATE t', values: ['x'.repeat(2_000_000)], makeSink: keepRows }, read: null }).catch((error: unknown) => error)];
    const one = write(lane);
    await nextTurn();
    answer(ok(AUTOCOMMIT));
    expect(await one).toBe(1);
    for (const other of await Promise.all(others)) expect(other).toBeInstanceOf(NotForLane);
  });

  it('nothing is sent once writes of the account are paused', async () => {
    let isShut = false;
    const { lane, sent, answer } = openLane(() => isShut);
    const first = write(lane);
    await nextTurn();
    const others = [write(lane), write(lane)];
    isShut = true;
    answer(ok(AUTOCOMMIT));
    expect(await first).toBe(1);
    for (const one of await Promise.all(others)) expect(one).toBeInstanceOf(AccountShut);
    expect(sent).toHaveLength(1);
  });

  it('a statement that the server no longer knows is prepared again', async () => {
    const { lane, answer, forgotten } = openLane();
    const one = write(lane);
    await nextTurn();
    answer(refusal(1243));
    expect(await one).toBeInstanceOf(NotForLane);
    expect(forgotten).toEqual(['UPDATE t']);
  });
});

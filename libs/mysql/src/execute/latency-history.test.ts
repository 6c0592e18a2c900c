import { beforeEach, describe, expect, it } from 'vitest';
import { createLatencyHistory, type LatencyHistory } from './latency-history.js';
import type { PoolAccount } from '../types.js';

const account: PoolAccount = { user: 'one', password: () => 'secret', schema: 'db_one', connectionsMax: 4 };
const SQL = 'SELECT a FROM t WHERE b = ?';

describe('latency history of reads', () => {
  let nowMs: number;
  let latencyHistory: LatencyHistory;
  const run = (times: number, elapsedMs = 1): void => {
    for (let index = 0; index < times; index += 1) latencyHistory.ran(account, SQL, elapsedMs);
  };
  const isFast = (): boolean => latencyHistory.isFast(account, SQL);

  beforeEach(() => {
    nowMs = 0;
    latencyHistory = createLatencyHistory(() => nowMs);
  });

  it('a read counts as fast for an account after sixteen fast runs in a row', () => {
    run(15);
    expect(isFast()).toBe(false);
    run(1);
    expect([isFast(), latencyHistory.isFast({ ...account }, SQL)]).toEqual([true, false]);
  });

  it('a slow run resets the count of fast runs of a read', () => {
    run(15);
    run(1, 31);
    run(15);
    expect(isFast()).toBe(false);
    run(1);
    expect(isFast()).toBe(true);
    latencyHistory = createLatencyHistory(() => nowMs);
    run(40, 4);
    expect(isFast()).toBe(false);
  });

  it('a read that was stopped on the fast path runs separately for a minute and then starts over', () => {
    run(16);
    latencyHistory.stopped(account, SQL);
    run(16);
    nowMs = 59_999;
    expect(isFast()).toBe(false);
    nowMs = 60_000;
    expect(isFast()).toBe(true);
    latencyHistory.stopped(account, SQL);
    nowMs = 120_000;
    expect(isFast()).toBe(false);
  });

  it.each([
    ['the statements after it wait too long', 7, 0],
    ['its responses are long', 0, 70_000],
  ])('a read leaves the shared session when, on average, %s', (_name, heldMs, bytes) => {
    run(16);
    latencyHistory.held(account, SQL, heldMs, bytes);
    expect(isFast()).toBe(true);
    for (let index = 0; index < 100; index += 1) latencyHistory.held(account, SQL, heldMs, bytes);
    expect(isFast()).toBe(false);
  });

  it('the latency history ignores a single stall of the process, but not repeated long waits', () => {
    run(16);
    const hold = (times: number): void => {
      for (let index = 0; index < times; index += 1) latencyHistory.held(account, SQL, 500, 0);
    };
    hold(6);
    expect(isFast()).toBe(true);
    hold(1);
    expect(isFast()).toBe(false);
    nowMs = 29_999;
    run(16);
    expect(isFast()).toBe(false);
    nowMs = 30_000;
    expect(isFast()).toBe(true);
  });

  it('the latency history forgets the least recently used of more than 128 reads', () => {
    run(16);
    for (let index = 0; index < 127; index += 1) latencyHistory.ran(account, `SELECT ${index}`, 1);
    expect(isFast()).toBe(true);
    run(1);
    for (let index = 127; index < 254; index += 1) latencyHistory.ran(account, `SELECT ${index}`, 1);
    expect(isFast()).toBe(true);
    latencyHistory.ran(account, 'SELECT one more', 1);
    expect(isFast()).toBe(false);
  });
});

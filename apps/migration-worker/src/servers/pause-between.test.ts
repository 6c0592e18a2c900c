import type { AdminConnection } from '@rowhouse/mysql';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pauseBetween } from './pause-between.js';

/** Creates a session whose statements take `takesMs` milliseconds each. */
function makeConnection(takesMs = 10): { connection: AdminConnection; sent: [string, number][] } {
  const sent: [string, number][] = [];
  const send = async (sql: string): Promise<never[]> => {
    sent.push([sql, performance.now()]);
    await new Promise((resolve) => setTimeout(resolve, takesMs));
    if (sql === 'bad') throw new Error('refused');
    return [];
  };
  return { connection: { rows: send, run: send } as unknown as AdminConnection, sent };
}

describe('pauseBetween', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('statements are sent one by one, each after a pause as long as the previous statement', async () => {
    const { connection, sent } = makeConnection();
    const rested = pauseBetween(connection);
    const all = Promise.all([rested.rows('a'), rested.run('b'), rested.rows('c')]);
    await vi.runAllTimersAsync();
    await all;
    const [first = ['', 0]] = sent;
    expect(sent.map(([sql, atMs]) => [sql, atMs - first[1]])).toEqual([
      ['a', 0],
      ['b', 20],
      ['c', 40],
    ]);
  });

  it('the next statement is sent even after a rejected one', async () => {
    const { connection, sent } = makeConnection();
    const rested = pauseBetween(connection);
    const rejected = expect(rested.run('bad')).rejects.toThrow('refused');
    const next = rested.run('good');
    await vi.runAllTimersAsync();
    await Promise.all([rejected, next]);
    expect(sent.map(([sql]) => sql)).toEqual(['bad', 'good']);
  });

  it('several short statements share one pause of their total duration', async () => {
    const { connection, sent } = makeConnection(2);
    const rested = pauseBetween(connection);
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((sql) => rested.run(sql)));
    await vi.runAllTimersAsync();
    await all;
    const [first = ['', 0]] = sent;
    expect(sent.map(([sql, atMs]) => [sql, atMs - first[1]])).toEqual([
      ['a', 0],
      ['b', 2],
      ['c', 8],
      ['d', 10],
      ['e', 16],
    ]);
  });

  it('the first statements of a session are sent without pauses', async () => {
    const { connection, sent } = makeConnection();
    const rested = pauseBetween(connection, 15);
    const all = Promise.all(['a', 'b', 'c', 'd'].map((sql) => rested.run(sql)));
    await vi.runAllTimersAsync();
    await all;
    const [first = ['', 0]] = sent;
    expect(sent.map(([, atMs]) => atMs - first[1])).toEqual([0, 10, 25, 45]);
  });

  it('all pauses between statements together take 400 ms at most', async () => {
    const { connection, sent } = makeConnection();
    const rested = pauseBetween(connection);
    const all = Promise.all(Array.from({ length: 100 }, (_, index) => rested.run(String(index))));
    await vi.runAllTimersAsync();
    await all;
    expect((sent.at(-1)?.[1] ?? 0) - (sent[0]?.[1] ?? 0)).toBe(99 * 10 + 400);
  });
});

import type { ChangeEntry } from '@rowhouse/contracts';
import type { GatewayChanges } from '@rowhouse/platform-store';
import { afterEach, describe, expect, it } from 'vitest';
import { startChangeFollower, type ChangeFollower } from './change-follower.js';

function entry(seq: number, databaseId = 'db_1', kind: ChangeEntry['kind'] = 'key'): ChangeEntry {
  return { seq, database_id: databaseId, kind, version: 0 };
}

describe('change follower', () => {
  let follower: ChangeFollower | null = null;
  afterEach(() => follower?.stop());

  async function start(
    log: ChangeEntry[],
    recent: readonly ChangeEntry[] = [],
  ): Promise<{ applied: number[]; follower: ChangeFollower }> {
    const applied: number[] = [];
    const changes = {
      readHead: async () => log.at(-1)?.seq ?? recent.at(-1)?.seq ?? 0,
      readRecent: async () => [...recent],
      readSince: async (after: number) => log.filter((changeEntry) => changeEntry.seq > after),
    } as unknown as GatewayChanges;
    follower = await startChangeFollower({
      changes,
      apply: (changeEntry) => applied.push(changeEntry.seq),
      onApplied: () => undefined,
      onFault: () => undefined,
    });
    return { applied, follower };
  }

  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('each change message is applied once, and the sequence number advances in order', async () => {
    const log: ChangeEntry[] = [];
    const { applied, follower: follow } = await start(log);
    follow.receive(entry(1));
    follow.receive(entry(1));
    expect(applied).toEqual([1]);
    expect(follow.changeTracker.appliedSeq()).toBe(1);
  });

  it('the sequence number advances past an early message when the earlier ones have arrived', async () => {
    const { applied, follower: follow } = await start([]);
    follow.receive(entry(3));
    expect(applied).toEqual([3]);
    expect(follow.changeTracker.appliedSeq()).toBe(0);
    follow.receive(entry(1));
    follow.receive(entry(2));
    expect(applied).toEqual([3, 1, 2]);
    expect(follow.changeTracker.appliedSeq()).toBe(3);
  });

  it('a change message far ahead of the log does not advance the observed sequence number', async () => {
    const { applied, follower: follow } = await start([entry(1)]);
    follow.receive(entry(999_999_999));
    await settle();
    await settle();
    expect(applied).toEqual([]);
    expect(follow.changeTracker.observedSeq()).toBe(1);
  });

  it('the change log is read when a message was lost', async () => {
    const log: ChangeEntry[] = [];
    const { applied, follower: follow } = await start(log);
    log.push(entry(1), entry(2));
    follow.receive(entry(2));
    await settle();
    await settle();
    expect(applied).toEqual([2, 1]);
    expect(follow.changeTracker.appliedSeq()).toBe(2);
  });

  it('a cached record is valid only if no newer change to its database exists', async () => {
    const { follower: follow } = await start([], [entry(7, 'db_1'), entry(8, 'db_2', 'snapshot')]);
    const { changeTracker } = follow;
    expect(changeTracker.appliedSeq()).toBe(8);
    expect(changeTracker.isRecordFresh('db_1', 6)).toBe(false);
    expect(changeTracker.isRecordFresh('db_1', 7)).toBe(true);
    // A new snapshot does not invalidate cached keys, but it invalidates cached snapshot pointers.
    expect(changeTracker.isRecordFresh('db_2', 6)).toBe(true);
    expect(changeTracker.isFresh('db_2', 7)).toBe(false);
    // The first entry that was read has the number 7, so it is known that db_3 has not changed since 6.
    expect(changeTracker.isRecordFresh('db_3', 6)).toBe(true);
    expect(changeTracker.isRecordFresh('db_3', 5)).toBe(false);
  });
});

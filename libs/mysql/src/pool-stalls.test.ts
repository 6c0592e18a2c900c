import { describe, expect, it, vi } from 'vitest';
import type { PoolSession } from './pool-session.js';
import { createStallWatch, type StallWatch } from './pool-stalls.js';
import type { PoolServer } from './pool-types.js';

const [one, other] = [{ host: 'a' }, { host: 'b' }] as [PoolServer, PoolServer];
const STATEMENT = {};

function session(place: PoolServer, owed: () => unknown): PoolSession {
  return { place, isLost: false, owed } as unknown as PoolSession;
}

async function lookOften(watch: StallWatch, times: number): Promise<void> {
  for (let at = 0; at < times; at += 1) {
    watch.look();
    await Promise.resolve();
  }
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describe('createStallWatch', () => {
  it('sessions are given up when their node owes a response and twice refuses a new session', async () => {
    const answers = vi.fn(async (place: PoolServer) => place !== one);
    const onStalled = vi.fn();
    const watch = createStallWatch({ answers, onStalled });
    const [stuck, idle, elsewhere] = [session(one, () => STATEMENT), session(one, () => null), session(other, () => STATEMENT)];
    for (const each of [stuck, idle, elsewhere]) watch.add(each);
    await lookOften(watch, 8);
    expect(answers).not.toHaveBeenCalled();
    await lookOften(watch, 1);
    expect(answers.mock.calls.map(([place]) => place.host).sort()).toEqual(['a', 'a', 'b']);
    expect(onStalled.mock.calls).toEqual([[one, [stuck, idle]]]);
  });

  it('progressing sessions are not checked, and a responding node only rarely', async () => {
    const answers = vi.fn(async () => true);
    const onStalled = vi.fn();
    const watch = createStallWatch({ answers, onStalled });
    let at = 0;
    watch.add(session(one, () => (at += 1)));
    await lookOften(watch, 50);
    expect(answers).not.toHaveBeenCalled();
    watch.add(session(one, () => STATEMENT));
    await lookOften(watch, 9);
    expect(answers).toHaveBeenCalledTimes(1);
    await lookOften(watch, 24);
    expect(answers).toHaveBeenCalledTimes(1);
    await lookOften(watch, 2);
    expect(answers).toHaveBeenCalledTimes(2);
    expect(onStalled).not.toHaveBeenCalled();
  });

  it('ended sessions are forgotten', async () => {
    const answers = vi.fn(async () => false);
    const watch = createStallWatch({ answers, onStalled: () => undefined });
    const gone = session(one, () => STATEMENT);
    watch.add(gone);
    gone.isLost = true;
    await lookOften(watch, 20);
    expect(answers).not.toHaveBeenCalled();
  });
});

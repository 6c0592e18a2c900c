import { describe, expect, it, vi } from 'vitest';
import type { PoolSession } from '../session/pool-session.js';
import { makeFakeSession } from '../testing/fake-session.js';
import { createStallWatch, type StallWatch } from './stall-watch.js';
import type { PoolServer } from '../types.js';

const [poolServer, other] = [{ host: 'a' }, { host: 'b' }] as [PoolServer, PoolServer];
const STATEMENT = {};

function session(endpoint: PoolServer, outstandingResponse: () => unknown): PoolSession {
  return makeFakeSession({ endpoint, outstandingResponse });
}

async function poll(watch: StallWatch, times: number): Promise<void> {
  for (let index = 0; index < times; index += 1) {
    watch.check();
    await Promise.resolve();
  }
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describe('createStallWatch', () => {
  it('the stall watch drops all sessions of a node that no longer responds to new sessions', async () => {
    const answers = vi.fn(async (endpoint: PoolServer) => endpoint !== poolServer);
    const onStalled = vi.fn();
    const watch = createStallWatch({ answers, onStalled });
    const [stuck, idle, otherServer] = [
      session(poolServer, () => STATEMENT),
      session(poolServer, () => null),
      session(other, () => STATEMENT),
    ];
    for (const each of [stuck, idle, otherServer]) watch.add(each);
    await poll(watch, 8);
    expect(answers).not.toHaveBeenCalled();
    await poll(watch, 1);
    expect(answers.mock.calls.map(([endpoint]) => endpoint.host).sort()).toEqual(['a', 'a', 'b']);
    expect(onStalled.mock.calls).toEqual([[poolServer, [stuck, idle]]]);
  });

  it('the stall watch never checks a node whose statements make progress', async () => {
    const answers = vi.fn(async () => true);
    const onStalled = vi.fn();
    const watch = createStallWatch({ answers, onStalled });
    let index = 0;
    watch.add(session(poolServer, () => (index += 1)));
    await poll(watch, 50);
    expect(answers).not.toHaveBeenCalled();
    watch.add(session(poolServer, () => STATEMENT));
    await poll(watch, 9);
    expect(answers).toHaveBeenCalledTimes(1);
    await poll(watch, 24);
    expect(answers).toHaveBeenCalledTimes(1);
    await poll(watch, 2);
    expect(answers).toHaveBeenCalledTimes(2);
    expect(onStalled).not.toHaveBeenCalled();
  });

  it('the stall watch never checks a node whose only session has ended', async () => {
    const answers = vi.fn(async () => false);
    const watch = createStallWatch({ answers, onStalled: () => undefined });
    const removed = session(poolServer, () => STATEMENT);
    watch.add(removed);
    removed.isLost = true;
    await poll(watch, 20);
    expect(answers).not.toHaveBeenCalled();
  });
});

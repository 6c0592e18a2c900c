import { describe, expect, it } from 'vitest';
import type { PoolSession } from '../session/pool-session.js';
import { makeFakeSession } from '../testing/fake-session.js';
import { SLOW_MS, createTenantRegistry, type TenantRegistry } from './tenant-registry.js';
import type { PoolAccount } from '../types.js';

const account = (schema: string, purpose?: 'stream'): PoolAccount => ({
  user: `${schema} user`,
  password: () => '',
  schema,
  connectionsMax: 4,
  writesMax: 3,
  ...(purpose === undefined ? {} : { purpose }),
});

/** Lends the account as many sessions for long statements as it may use now. */
function lendAll(registry: TenantRegistry, of: PoolAccount): PoolSession[] {
  const slot = registry.slot(of);
  const lent: PoolSession[] = [];
  while (registry.slotKindFor(slot, 'long') !== null) {
    const session = makeFakeSession();
    registry.own(slot, session);
    registry.lend(slot, session, 'long');
    lent.push(session);
  }
  return lent;
}

describe('whether a tenant is alone', () => {
  it('a tenant counts as alone when no other tenant used or awaited a session for a second', () => {
    let nowMs = 0;
    const registry = createTenantRegistry(() => nowMs);
    const [poolAccount, other] = [account('one'), account('other')];
    registry.lend(registry.slot(poolAccount), makeFakeSession(), 'long');
    expect([registry.isAlone(poolAccount), registry.isAlone(other)]).toEqual([true, false]);
    registry.lend(registry.slot(other), makeFakeSession(), 'long');
    expect(registry.isAlone(poolAccount)).toBe(false);
    nowMs = 1_000;
    expect(registry.isAlone(poolAccount)).toBe(true);
    registry.addWaiter(registry.slot(poolAccount), {
      need: 'long',
      resolve: () => undefined,
      reject: () => undefined,
      attempts: 0,
      timer: undefined,
    });
    expect(registry.isAlone(poolAccount)).toBe(false);
  });
});

describe('long statements of a tenant', () => {
  it('long statements may use all sessions of a tenant that is alone on the server', () => {
    const registry = createTenantRegistry();
    expect(lendAll(registry, account('loud'))).toHaveLength(4);
  });

  it('long statements with active neighbors start one at a time in half of the sessions', () => {
    let nowMs = 0;
    const registry = createTenantRegistry(() => nowMs);
    const [quiet, loud] = [makeFakeSession(), registry.slot(account('loud'))];
    registry.lend(registry.slot(account('quiet')), quiet, 'long');
    expect(lendAll(registry, account('loud'))).toHaveLength(1);
    nowMs = SLOW_MS - 1;
    expect(lendAll(registry, account('loud'))).toEqual([]);
    nowMs = SLOW_MS;
    const [second] = lendAll(registry, account('loud'));
    expect(loud.longSinceMs.size).toBe(2);
    // While a slow statement runs, further statements of the account run without waiting.
    registry.takeBack(loud, second as PoolSession);
    expect(lendAll(registry, account('loud'))).toHaveLength(1);
    nowMs = 999;
    expect(lendAll(registry, account('loud'))).toEqual([]);
    registry.takeBack(registry.slot(account('quiet')), quiet);
    nowMs = 1_000;
    expect(lendAll(registry, account('loud'))).toHaveLength(2);
  });

  it('long statements leave all sessions for short writes free while a neighbor is active', () => {
    const registry = createTenantRegistry();
    registry.lend(registry.slot(account('quiet')), makeFakeSession(), 'short');
    const slot = registry.slot(account('loud'));
    lendAll(registry, account('loud'));
    expect(registry.slotKindFor(slot, 'long')).toBe(null);
    for (let index = 0; index < 3; index += 1) {
      expect(registry.slotKindFor(slot, 'short')).toBe('short');
      registry.lend(slot, makeFakeSession(), 'short');
    }
    expect(registry.slotKindFor(slot, 'short')).toBe(null);
  });

  it('streams of the same tenant do not count as a neighbor', () => {
    const registry = createTenantRegistry();
    expect(lendAll(registry, account('loud', 'stream'))).toHaveLength(4);
    expect(lendAll(registry, account('loud'))).toHaveLength(4);
  });
});

describe('bursts', () => {
  const wide: PoolAccount = { ...account('wide'), connectionsMax: 2, writesMax: 6 };

  it('a burst borrows all but four sessions for short writes after those for long statements', () => {
    const registry = createTenantRegistry();
    const slot = registry.slot(wide);
    const slotKinds = Array.from({ length: 5 }, () => {
      const slotKind = registry.slotKindFor(slot, 'burst');
      if (slotKind !== null) registry.lend(slot, makeFakeSession(), slotKind);
      return slotKind;
    });
    expect(slotKinds).toEqual(['long', 'long', 'short', 'short', null]);
    expect(registry.slotKindFor(slot, 'short')).toBe('short');
    expect(registry.slotKindFor(slot, 'long')).toBe(null);
  });

  it('a burst with active neighbors borrows no session that is reserved for short writes', () => {
    const registry = createTenantRegistry();
    registry.lend(registry.slot(account('quiet')), makeFakeSession(), 'long');
    const slot = registry.slot(wide);
    lendAll(registry, wide);
    expect(registry.slotKindFor(slot, 'burst')).toBe(null);
  });

  it('a waiting burst is overtaken by a short write for which a session is free', () => {
    const registry = createTenantRegistry();
    const slot = registry.slot(wide);
    for (
      let slotKind = registry.slotKindFor(slot, 'burst');
      slotKind !== null;
      slotKind = registry.slotKindFor(slot, 'burst')
    )
      registry.lend(slot, makeFakeSession(), slotKind);
    for (const need of ['burst', 'short', 'long'] as const)
      registry.addWaiter(slot, {
        need,
        resolve: () => undefined,
        reject: () => undefined,
        attempts: 0,
        timer: undefined,
      });
    expect(registry.servable(slot)).toBe(1);
    expect(registry.nextWaiter(slot)).toMatchObject({ waiter: { need: 'short' }, slotKind: 'short' });
    expect([registry.servable(slot), registry.nextWaiter(slot)]).toEqual([0, undefined]);
    // One statement of the burst ends, and exactly one other statement may start.
    slot.short -= 1;
    expect([registry.servable(slot), registry.nextWaiter(slot)]).toMatchObject([
      1,
      { waiter: { need: 'burst' }, slotKind: 'short' },
    ]);
    expect(slot.waiting).toEqual({ short: 0, burst: 0, long: 1 });
  });
});

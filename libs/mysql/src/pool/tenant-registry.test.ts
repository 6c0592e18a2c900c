import { describe, expect, it } from 'vitest';
import type { PoolSession } from '../session/pool-session.js';
import { SLOW_MS, createTenantRegistry, type TenantRegistry } from './tenant-registry.js';
import type { PoolAccount } from '../types.js';

const account = (schema: string, queue?: 'stream'): PoolAccount => ({
  user: `${schema} user`,
  password: () => '',
  schema,
  connectionsMax: 4,
  writesMax: 3,
  ...(queue === undefined ? {} : { purpose: queue }),
});
const session = (): PoolSession => ({ lentFor: null }) as unknown as PoolSession;

/** Lends as many sessions for long statements as the account may use now. */
function lendAll(registry: TenantRegistry, of: PoolAccount): PoolSession[] {
  const slot = registry.slot(of);
  const lent: PoolSession[] = [];
  while (registry.placeFor(slot, 'long') !== null) {
    const poolSession = session();
    registry.own(slot, poolSession);
    registry.lend(slot, poolSession, 'long');
    lent.push(poolSession);
  }
  return lent;
}

describe('whether a tenant is alone', () => {
  it('a tenant is alone when no other was lent a session for a second and none waits', () => {
    let nowMs = 0;
    const registry = createTenantRegistry(() => nowMs);
    const [poolAccount, other] = [account('one'), account('other')];
    registry.lend(registry.slot(poolAccount), session(), 'long');
    expect([registry.isAlone(poolAccount), registry.isAlone(other)]).toEqual([true, false]);
    registry.lend(registry.slot(other), session(), 'long');
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
  it('they may use all sessions while the tenant is alone on the server', () => {
    const registry = createTenantRegistry();
    expect(lendAll(registry, account('loud'))).toHaveLength(4);
  });

  it('with active neighbors they may use one session, one more next to slow ones up to half, and all a second later', () => {
    let nowMs = 0;
    const registry = createTenantRegistry(() => nowMs);
    const [quiet, verbose] = [session(), registry.slot(account('loud'))];
    registry.lend(registry.slot(account('quiet')), quiet, 'long');
    expect(lendAll(registry, account('loud'))).toHaveLength(1);
    nowMs = SLOW_MS - 1;
    expect(lendAll(registry, account('loud'))).toEqual([]);
    nowMs = SLOW_MS;
    const [second] = lendAll(registry, account('loud'));
    expect(verbose.longSinceMs.size).toBe(2);
    // While a slow statement runs, others come and go without waiting.
    registry.takeBack(verbose, second as PoolSession);
    expect(lendAll(registry, account('loud'))).toHaveLength(1);
    nowMs = 999;
    expect(lendAll(registry, account('loud'))).toEqual([]);
    registry.takeBack(registry.slot(account('quiet')), quiet);
    nowMs = 1_000;
    expect(lendAll(registry, account('loud'))).toHaveLength(2);
  });

  it('they leave sessions for short writes, whose number does not depend on neighbors', () => {
    const registry = createTenantRegistry();
    registry.lend(registry.slot(account('quiet')), session(), 'short');
    const slot = registry.slot(account('loud'));
    lendAll(registry, account('loud'));
    expect(registry.placeFor(slot, 'long')).toBe(null);
    for (let index = 0; index < 3; index += 1) {
      expect(registry.placeFor(slot, 'short')).toBe('short');
      registry.lend(slot, session(), 'short');
    }
    expect(registry.placeFor(slot, 'short')).toBe(null);
  });

  it('streams of the same tenant do not count as a neighbor', () => {
    const registry = createTenantRegistry();
    expect(lendAll(registry, account('loud', 'stream'))).toHaveLength(4);
    expect(lendAll(registry, account('loud'))).toHaveLength(4);
  });
});

describe('bursts', () => {
  const wide: PoolAccount = { ...account('wide'), connectionsMax: 2, writesMax: 6 };

  it('they may use all but four sessions for short writes once those for long statements are in use', () => {
    const registry = createTenantRegistry();
    const slot = registry.slot(wide);
    const locations = Array.from({ length: 5 }, () => {
      const endpoint = registry.placeFor(slot, 'burst');
      if (endpoint !== null) registry.lend(slot, session(), endpoint);
      return endpoint;
    });
    expect(locations).toEqual(['long', 'long', 'short', 'short', null]);
    expect(registry.placeFor(slot, 'short')).toBe('short');
    expect(registry.placeFor(slot, 'long')).toBe(null);
  });

  it('with active neighbors they have the same limit as long statements', () => {
    const registry = createTenantRegistry();
    registry.lend(registry.slot(account('quiet')), session(), 'long');
    const slot = registry.slot(wide);
    lendAll(registry, wide);
    expect(registry.placeFor(slot, 'burst')).toBe(null);
  });

  it('waiting ones are overtaken by short writes with free capacity, and none stays counted', () => {
    const registry = createTenantRegistry();
    const slot = registry.slot(wide);
    for (
      let endpoint = registry.placeFor(slot, 'burst');
      endpoint !== null;
      endpoint = registry.placeFor(slot, 'burst')
    )
      registry.lend(slot, session(), endpoint);
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
    // One statement of the burst ends, and only another one takes its slot.
    slot.short -= 1;
    expect([registry.servable(slot), registry.nextWaiter(slot)]).toMatchObject([
      1,
      { waiter: { need: 'burst' }, slotKind: 'short' },
    ]);
    expect(slot.waiting).toEqual({ short: 0, burst: 0, long: 1 });
  });
});

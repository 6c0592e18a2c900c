import { describe, expect, it } from 'vitest';
import type { PoolSession } from './pool-session.js';
import { SLOW_MS, createTenantBook, type TenantBook } from './pool-tenant-book.js';
import type { PoolAccount } from './pool-types.js';

const account = (schema: string, lane?: 'stream'): PoolAccount => ({ user: `${schema} user`, password: () => '', schema, connectionsMax: 4, writesMax: 3, ...(lane === undefined ? {} : { lane }) });
const session = (): PoolSession => ({ lentFor: null }) as unknown as PoolSession;

/** Lends as many sessions for long statements as the account may use now. */
function lendAll(book: TenantBook, of: PoolAccount): PoolSession[] {
  const slot = book.slot(of);
  const lent: PoolSession[] = [];
  while (book.placeFor(slot, 'long') !== null) {
    const one = session();
    book.own(slot, one);
    book.lend(slot, one, 'long');
    lent.push(one);
  }
  return lent;
}

describe('whether a tenant is alone', () => {
  it('a tenant is alone when no other was lent a session for a second and none waits', () => {
    let nowMs = 0;
    const book = createTenantBook(() => nowMs);
    const [one, other] = [account('one'), account('other')];
    book.lend(book.slot(one), session(), 'long');
    expect([book.isAlone(one), book.isAlone(other)]).toEqual([true, false]);
    book.lend(book.slot(other), session(), 'long');
    expect(book.isAlone(one)).toBe(false);
    nowMs = 1_000;
    expect(book.isAlone(one)).toBe(true);
    book.addWaiter(book.slot(one), { need: 'long', resolve: () => undefined, reject: () => undefined, attempts: 0, timer: undefined });
    expect(book.isAlone(one)).toBe(false);
  });
});

describe('long statements of a tenant', () => {
  it('they may use all sessions while the tenant is alone on the server', () => {
    const book = createTenantBook();
    expect(lendAll(book, account('loud'))).toHaveLength(4);
  });

  it('with active neighbors they may use one session, one more next to slow ones up to half, and all a second later', () => {
    let nowMs = 0;
    const book = createTenantBook(() => nowMs);
    const [quiet, loud] = [session(), book.slot(account('loud'))];
    book.lend(book.slot(account('quiet')), quiet, 'long');
    expect(lendAll(book, account('loud'))).toHaveLength(1);
    nowMs = SLOW_MS - 1;
    expect(lendAll(book, account('loud'))).toEqual([]);
    nowMs = SLOW_MS;
    const [second] = lendAll(book, account('loud'));
    expect(loud.longSinceMs.size).toBe(2);
    // While a slow statement runs, others come and go without waiting.
    book.takeBack(loud, second as PoolSession);
    expect(lendAll(book, account('loud'))).toHaveLength(1);
    nowMs = 999;
    expect(lendAll(book, account('loud'))).toEqual([]);
    book.takeBack(book.slot(account('quiet')), quiet);
    nowMs = 1_000;
    expect(lendAll(book, account('loud'))).toHaveLength(2);
  });

  it('they leave sessions for short writes, whose number does not depend on neighbors', () => {
    const book = createTenantBook();
    book.lend(book.slot(account('quiet')), session(), 'short');
    const slot = book.slot(account('loud'));
    lendAll(book, account('loud'));
    expect(book.placeFor(slot, 'long')).toBe(null);
    for (let at = 0; at < 3; at += 1) {
      expect(book.placeFor(slot, 'short')).toBe('short');
      book.lend(slot, session(), 'short');
    }
    expect(book.placeFor(slot, 'short')).toBe(null);
  });

  it('streams of the same tenant do not count as a neighbor', () => {
    const book = createTenantBook();
    expect(lendAll(book, account('loud', 'stream'))).toHaveLength(4);
    expect(lendAll(book, account('loud'))).toHaveLength(4);
  });
});

describe('bursts', () => {
  const wide: PoolAccount = { ...account('wide'), connectionsMax: 2, writesMax: 6 };

  it('they may use all but four sessions for short writes once those for long statements are in use', () => {
    const book = createTenantBook();
    const slot = book.slot(wide);
    const places = Array.from({ length: 5 }, () => {
      const place = book.placeFor(slot, 'burst');
      if (place !== null) book.lend(slot, session(), place);
      return place;
    });
    expect(places).toEqual(['long', 'long', 'short', 'short', null]);
    expect(book.placeFor(slot, 'short')).toBe('short');
    expect(book.placeFor(slot, 'long')).toBe(null);
  });

  it('with active neighbors they have the same limit as long statements', () => {
    const book = createTenantBook();
    book.lend(book.slot(account('quiet')), session(), 'long');
    const slot = book.slot(wide);
    lendAll(book, wide);
    expect(book.placeFor(slot, 'burst')).toBe(null);
  });

  it('waiting ones are overtaken by short writes with free capacity, and none stays counted', () => {
    const book = createTenantBook();
    const slot = book.slot(wide);
    for (let place = book.placeFor(slot, 'burst'); place !== null; place = book.placeFor(slot, 'burst')) book.lend(slot, session(), place);
    for (const need of ['burst', 'short', 'long'] as const) book.addWaiter(slot, { need, resolve: () => undefined, reject: () => undefined, attempts: 0, timer: undefined });
    expect(book.servable(slot)).toBe(1);
    expect(book.nextWaiter(slot)).toMatchObject({ waiter: { need: 'short' }, place: 'short' });
    expect([book.servable(slot), book.nextWaiter(slot)]).toEqual([0, undefined]);
    // One statement of the burst ends, and only another one takes its slot.
    slot.short -= 1;
    expect([book.servable(slot), book.nextWaiter(slot)]).toMatchObject([1, { waiter: { need: 'burst' }, place: 'short' }]);
    expect(slot.waiting).toEqual({ short: 0, burst: 0, long: 1 });
  });
});

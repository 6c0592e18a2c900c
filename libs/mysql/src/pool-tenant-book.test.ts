import { describe, expect, it } from 'vitest';
import type { PoolSession } from './pool-session.js';
import { createTenantBook, type TenantBook } from './pool-tenant-book.js';
import type { PoolAccount } from './pool-types.js';

const account = (schema: string, lane?: 'stream'): PoolAccount => ({ user: `${schema} user`, password: () => '', schema, connectionsMax: 4, writesMax: 3, ...(lane === undefined ? {} : { lane }) });
const session = (): PoolSession => ({ lentFor: null }) as unknown as PoolSession;

/** As many long statements as the account may have at work now. */
function lendAll(book: TenantBook, of: PoolAccount): PoolSession[] {
  const slot = book.slot(of);
  const lent: PoolSession[] = [];
  while (book.mayBegin(slot, false)) {
    const one = session();
    book.own(slot, one);
    book.lend(slot, one, false);
    lent.push(one);
  }
  return lent;
}

describe('long statements of a tenant', () => {
  it('take all of its sessions while nobody else works on the server', () => {
    const book = createTenantBook();
    expect(lendAll(book, account('loud'))).toHaveLength(4);
  });

  it('take half of them in company, and all again a second after that has gone', () => {
    let nowMs = 0;
    const book = createTenantBook(() => nowMs);
    const quiet = session();
    book.lend(book.slot(account('quiet')), quiet, false);
    expect(lendAll(book, account('loud'))).toHaveLength(2);
    book.takeBack(book.slot(account('quiet')), quiet);
    nowMs = 999;
    expect(lendAll(book, account('loud'))).toEqual([]);
    nowMs = 1_000;
    expect(lendAll(book, account('loud'))).toHaveLength(2);
  });

  it('leave room for short writes, which are no fewer in company', () => {
    const book = createTenantBook();
    book.lend(book.slot(account('quiet')), session(), true);
    const slot = book.slot(account('loud'));
    lendAll(book, account('loud'));
    expect(book.mayBegin(slot, false)).toBe(false);
    for (let at = 0; at < 3; at += 1) {
      expect(book.mayBegin(slot, true)).toBe(true);
      book.lend(slot, session(), true);
    }
    expect(book.mayBegin(slot, true)).toBe(false);
  });

  it('of the same tenant on another lane are no company', () => {
    const book = createTenantBook();
    expect(lendAll(book, account('loud', 'stream'))).toHaveLength(4);
    expect(lendAll(book, account('loud'))).toHaveLength(4);
  });
});

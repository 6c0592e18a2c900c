import { expect, it } from 'vitest';
import { createUnknownKeys } from './unknown-keys.js';

it('checkAddress rejects an address with twenty misses until the next second', () => {
  const unknown = createUnknownKeys();
  for (let miss = 0; miss < 20; miss += 1) {
    unknown.checkAddress('192.0.2.1', 500);
    unknown.noteMiss(`key ${miss}`, '192.0.2.1', 500);
  }
  expect(() => unknown.checkAddress('192.0.2.1', 1_499)).toThrow(
    expect.objectContaining({ code: 'limit.unknown_keys' }) as Error,
  );
  unknown.checkAddress('192.0.2.2', 1_499);
  unknown.checkAddress('192.0.2.1', 1_500);
});

it('checkAddress counts the misses of one IPv6 network together', () => {
  const unknown = createUnknownKeys();
  for (let miss = 0; miss < 20; miss += 1)
    unknown.noteMiss(`key ${miss}`, `2001:db8:0:1::${miss.toString(16)}`, 0);
  expect(() => unknown.checkAddress('2001:db8:0:1:ffff::', 0)).toThrow(
    expect.objectContaining({ code: 'limit.unknown_keys' }) as Error,
  );
  unknown.checkAddress('2001:db8:0:2::1', 0);
  unknown.checkAddress('', 0);
});

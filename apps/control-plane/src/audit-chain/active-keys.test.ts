import { describe, expect, it } from 'vitest';
import { followKeys, MASTER_KEY_ROTATED } from './active-keys.js';

/**
 * In the log, `a` is an event under the key a. `>b` is an event under the key b which declares that b is in
 * force from now on.
 */
function follow(log: string, current: readonly string[], hasEarlier: boolean): string[] {
  const keys = followKeys(current, hasEarlier);
  for (const [index, word] of log.split(' ').entries()) {
    const keyId = word.slice(-1);
    keys.pass({
      seq: index + 1,
      keyId,
      action: word.startsWith('>') ? MASTER_KEY_ROTATED : 'key.create',
      target: keyId,
    });
  }
  return keys.faults();
}

describe('followKeys', () => {
  it.each([
    ['a a a', ['a'], false],
    ['a a >b b b', ['b'], true],
    ['a a >b b >c', ['c'], true],
    ['a b a b >b b', ['b'], true],
    // During a rotation, some processes already use the new key.
    ['a a b a', ['b', 'a'], false],
    ['a >b b c b', ['c', 'b'], true],
    // In this log, the rotation command ran twice.
    ['a >b b >b', ['b'], true],
  ] as const)('the audit log %s is valid with the keys %s', (log, current, hasEarlier) => {
    expect(follow(log, current, hasEarlier)).toEqual([]);
  });

  it.each([
    ['a key that was changed goes on', 'a >b b a a', ['b'], /from 4 on .*\(a\)/],
    ['an earlier one comes between', 'a >b x b >c', ['c'], /from 3 on .*\(x\)/],
    ['one that is still at hand does', 'a >b b a', ['b', 'a'], /from 4 on .*\(a\)/],
    [
      'an earlier one says that it is in force again',
      'a >b b >a a',
      ['b', 'a'],
      /event 4 uses a master key that had already been replaced/,
    ],
    ['the change was cut off', 'a a a', ['b'], /ends before the last change of the master key/],
    ['the last of two changes was', 'a >b b b', ['c'], /ends before/],
  ] as const)('followKeys() reports a fault when %s', (_what, log, current, fault) => {
    expect(follow(log, current, true).join('\n')).toMatch(fault);
  });
});

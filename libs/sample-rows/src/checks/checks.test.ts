import { describe, expect, it } from 'vitest';
import type { SampleRow } from '../types.js';
import { isRejectedBy } from './evaluate-check.js';
import { readCheck } from './read-check.js';
import { readLimits } from './read-limits.js';

const read = (clause: string): NonNullable<ReturnType<typeof readCheck>> => {
  const found = readCheck(clause);
  if (found === null) throw new Error(`not understood: ${clause}`);
  return found;
};
const refuses = (clause: string, row: SampleRow): boolean => isRejectedBy(read(clause), row);

describe('checks', () => {
  it('CHECK clauses are parsed as MariaDB and MySQL print them', () => {
    for (const [clause, good, bad] of [
      ['`n` > 0 and `n` < 10', 5, 10],
      ['((`n` > 0) and (`n` < 10))', 5, 0],
      ['`n` between 1 and 3', 2, 4],
      ['(`n` not between -3 and 3)', 4, 0],
      ['`n` % 2 = 0', 4, 5],
      ['(`n` in (1,2))', 1, 3],
      ['n <> 7', 8, 7],
      ["`n` in ('red','it\\'s')", "it's", 'blue'],
      [String.raw`(${'`n`'} in (_utf8mb4\'red\',_utf8mb4\'it\\\'s\'))`, "it's", 'blue'],
      ["(`n` like _utf8mb4'SK%')", 'sku-1', 'x'],
      ['char_length(trim(`n`)) >= 2', 'ab', ' a '],
      ['`n` is not null', 1, null],
      ["`n` >= '2020-01-01'", '2020-05-01', '2019-12-31'],
      ['abs(`n`) <= 2 or `n` = 9', -2, 3],
      ["lower(`n`) = 'a' || `n` = 'B'", 'A', 'c'],
      ['not `n` = 3', 2, 3],
      ['`n` * 2 > 5 - 1', 3, 2],
    ] as const)
      expect([clause, refuses(clause, { n: good }), refuses(clause, { n: bad })]).toEqual([
        clause,
        false,
        true,
      ]);
  });

  it('a CHECK accepts a row whose result is NULL or unknown', () => {
    expect(refuses('`n` > 0', { n: null })).toBe(false);
    expect(refuses('crc32(`n`) = 1', { n: 4 })).toBe(false);
    expect(refuses('`elsewhere` > 0', { n: 4 })).toBe(false);
    expect(refuses('crc32(`n`) = 1 and `n` > 9', { n: 4 })).toBe(true);
    for (const clause of [
      "`a` regexp '^[A-Z]+$'",
      '`a` > (select 1)',
      'case when `a` then 1 end',
      '`a` @ 1',
      '',
    ])
      expect(readCheck(clause)).toBeNull();
  });

  it('a CHECK clause that takes too long to evaluate is left to the database', () => {
    let nested = '`n`';
    for (let depth = 0; depth < 60; depth += 1) nested = `((${nested}) between 0 and 1) is not null`;
    let reads = 0;
    const row = {
      get n(): number {
        reads += 1;
        return 1;
      },
    };
    expect(refuses(nested, row)).toBe(false);
    expect(reads).toBeLessThanOrEqual(10_000);
    expect(refuses(`\`n\` like '${'%_'.repeat(40)}%zzz'`, { n: 'a'.repeat(60) })).toBe(true);
  });

  it('CHECK clauses determine the limits of single columns', () => {
    const limits = readLimits([
      read('`price` >= 5 and `price` < 9'),
      read("`size` in ('S','M')"),
      read('`note` is null or char_length(`note`) > 3'),
      read('0 < `n`'),
      read('`a` < `b`'),
      read('`low` > -10'),
      read("`code` like 'SK-%'"),
      read("`t` <> ''"),
    ]);
    expect(limits.get('price')).toMatchObject({ min: 5, isAboveMin: false, max: 9, isBelowMax: true });
    expect(limits.get('size')?.choices).toEqual(['S', 'M']);
    expect(limits.get('note')?.lengthMin).toBe(4);
    expect(limits.get('n')).toMatchObject({ min: 0, isAboveMin: true });
    expect(limits.get('low')?.min).toBe(-10);
    expect(limits.get('code')?.pattern).toBe('SK-%');
    expect(limits.get('t')?.lengthMin).toBe(1);
    expect([limits.has('a'), limits.has('b')]).toEqual([false, false]);
  });
});

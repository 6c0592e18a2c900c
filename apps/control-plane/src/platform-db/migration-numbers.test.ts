import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CELL_MIGRATIONS } from './cell-migrations.js';
import { GLOBAL_MIGRATIONS } from './data-sources.js';

/**
 * The number of the last file that is older than the rules below. Files up to this number keep their names.
 */
const LAST_IRREGULAR = 1_700_000_000_261;

const files = readdirSync(new URL('migrations', import.meta.url)).filter((name) => name.endsWith('.ts'));
const readNumber = (name: string): number => Number(/\d{13}/.exec(name)?.[0]);

describe('migrations of the platform tables', () => {
  it('no two platform migrations share a number', () => {
    const numbers = files.map(readNumber).filter((number) => number > LAST_IRREGULAR);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it.each([
    ['cell', CELL_MIGRATIONS],
    ['global', GLOBAL_MIGRATIONS],
  ])('new migrations of the %s tables are listed in the order of their numbers', (_half, migrations) => {
    const listed = migrations.map(({ name }) => readNumber(name));
    const added = listed.slice(listed.findIndex((number) => number > LAST_IRREGULAR));
    expect(added).toEqual([...added].sort((left, right) => left - right));
    expect(Math.min(...added)).toBeGreaterThan(LAST_IRREGULAR);
  });

  it('the number of each platform migration file is in the list of migrations', () => {
    const listed = new Set([...CELL_MIGRATIONS, ...GLOBAL_MIGRATIONS].map(({ name }) => readNumber(name)));
    expect(files.map(readNumber).filter((number) => !listed.has(number))).toEqual([]);
  });
});

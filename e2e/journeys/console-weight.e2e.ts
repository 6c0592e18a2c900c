import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FIRST_LOAD_BYTES_MAX = 170 * 1024;
const ROUTE_CHUNK_BYTES_MAX = 130 * 1024;

describe('the weight of the console', () => {
  const folder = join(import.meta.dirname, '..', '..', 'apps', 'console', 'dist');
  const sizes = new Map(readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js.gz') || name.endsWith('.js')).map((name) => [name, readFileSync(join(folder, 'assets', name)).length]));
  /** Of the compressed copy; chunks too small for one count as they are. */
  const weigh = (name: string): number => sizes.get(`${name}.gz`) ?? sizes.get(name) ?? 0;

  it('stays within its budget: first load and each chunk', () => {
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    const first = [...html.matchAll(/(?:src|href)="\/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name);
    expect(first.length).toBeGreaterThan(1);
    expect(first.reduce((sum, name) => sum + weigh(name), 0)).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX);
    const heavy = [...sizes.keys()].filter((name) => name.endsWith('.js') && weigh(name) > ROUTE_CHUNK_BYTES_MAX);
    expect(heavy).toEqual([]);
  });
});

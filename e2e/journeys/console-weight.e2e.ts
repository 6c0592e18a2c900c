import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.mjs';
import { readProduct } from '../support/product.mjs';

const FIRST_LOAD_BYTES_MAX = 170 * 1024;
const ROUTE_CHUNK_BYTES_MAX = 130 * 1024;

describe('the weight of the console', () => {
  const product = readProduct();
  const folder = join(import.meta.dirname, '..', '..', 'apps', 'console', 'dist');
  const sizes = new Map(readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js.gz') || name.endsWith('.js')).map((name) => [name, readFileSync(join(folder, 'assets', name)).length]));
  /** Of the compressed copy; chunks too small for one count as they are. */
  const weigh = (name: string): number => sizes.get(`${name}.gz`) ?? sizes.get(name) ?? 0;

  it('stays within its budget with each chunk', () => {
    const heavy = [...sizes.keys()].filter((name) => name.endsWith('.js') && weigh(name) > ROUTE_CHUNK_BYTES_MAX);
    expect(heavy).toEqual([]);
  });

  it.each([['/login', 'Sign in'], ['/signup', 'Create account']])('stays within its budget with all that a first visit of %s fetches', async (path, action) => {
    const { page, close } = await openBrowser();
    const asked = new Set<string>();
    page.on('request', (request) => {
      const name = /\/assets\/([^/]+\.js)$/.exec(new URL(request.url()).pathname)?.[1];
      if (name !== undefined) asked.add(name);
    });
    try {
      await page.goto(`${product.control}${path}`, { waitUntil: 'networkidle' });
      await page.getByRole('button', { name: action, exact: true }).waitFor();
    } finally {
      await close();
    }
    expect([...asked].filter((name) => weigh(name) === 0)).toEqual([]);
    expect(asked.size).toBeGreaterThan(10);
    expect([...asked].reduce((sum, name) => sum + weigh(name), 0)).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX);
  });
});

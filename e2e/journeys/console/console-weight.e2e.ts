import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openBrowser } from '../../support/console/browser.mjs';
import { readProduct } from '../../support/product.mjs';

const FIRST_LOAD_BYTES_MAX = 170 * 1024;
const ROUTE_CHUNK_BYTES_MAX = 130 * 1024;
const DOCS_PAGE_BYTES_MAX = 150 * 1024;

describe('the size of the console', () => {
  const product = readProduct();
  const folder = join(import.meta.dirname, '..', '..', '..', 'apps', 'console', 'dist');
  const sizes = new Map(
    readdirSync(join(folder, 'assets'))
      .filter((name) => name.endsWith('.js.gz') || name.endsWith('.js'))
      .map((name) => [name, readFileSync(join(folder, 'assets', name)).length]),
  );
  /**
   * Returns the size of a file after compression. A file that is too small to be compressed counts with its
   * full size.
   */
  const sizeOf = (name: string): number => sizes.get(`${name}.gz`) ?? sizes.get(name) ?? 0;

  it('each JavaScript chunk of the console is within its size budget', () => {
    const heavy = [...sizes.keys()].filter(
      (name) => name.endsWith('.js') && sizeOf(name) > ROUTE_CHUNK_BYTES_MAX,
    );
    expect(heavy).toEqual([]);
  });

  it('the script of the public docs page is within its size budget', () => {
    const names = readdirSync(join(folder, 'docs-page')).filter((name) => name.endsWith('.js'));
    expect(names).toHaveLength(1);
    const bytes = gzipSync(readFileSync(join(folder, 'docs-page', names[0] ?? '')), { level: 9 }).length;
    expect(bytes).toBeGreaterThan(20 * 1024);
    expect(bytes).toBeLessThan(DOCS_PAGE_BYTES_MAX);
  });

  it('no two JavaScript files of the console import each other', () => {
    const needs = new Map(
      [...sizes.keys()]
        .filter((name) => name.endsWith('.js'))
        .map((name) => [name, listImports(readFileSync(join(folder, 'assets', name), 'utf8'))]),
    );
    expect([...needs.values()].flat().length).toBeGreaterThan(needs.size);
    // Repeatedly removes files whose imports have all been removed. What remains at the end is a cycle.
    for (let before = Infinity; needs.size < before;) {
      before = needs.size;
      for (const [name, needed] of needs) if (!needed.some((other) => needs.has(other))) needs.delete(name);
    }
    expect([...needs.keys()]).toEqual([]);
  });

  it('the files that each console page loads first are within their size budget', () => {
    const pages = (JSON.parse(readFileSync(join(folder, 'screens.json'), 'utf8')) as FirstFiles[]).map(
      ({ path, wanted: expected }) =>
        [path, expected.filter(({ as }) => as === 'script').map(({ href }) => basename(href))] as const,
    );
    expect(pages.length).toBeGreaterThan(25);
    const needs = (name: string): string[] => listImports(readFileSync(join(folder, 'assets', name), 'utf8'));
    for (const [path, names] of pages) {
      const reported = new Set(names);
      // Every first file must be named in the page. The browser would find another file only later, and this
      // test would not count it.
      expect(
        names.flatMap(needs).filter((name) => !reported.has(name)),
        path,
      ).toEqual([]);
      expect(
        names.filter((name) => sizeOf(name) === 0),
        path,
      ).toEqual([]);
    }
    expect(
      pages
        .map(([path, names]) => ({ path, bytes: names.reduce((sum, name) => sum + sizeOf(name), 0) }))
        .filter(({ bytes }) => bytes > FIRST_LOAD_BYTES_MAX),
    ).toEqual([]);
  });

  it.each([
    ['/login', 'Sign in'],
    ['/signup', 'Create account'],
  ])('a first visit of %s loads no more bytes than its budget', async (path, action) => {
    const { page, close } = await openBrowser();
    const requested = new Set<string>();
    let announced = '';
    page.on('request', (request) => {
      const name = /\/assets\/([^/]+\.js)$/.exec(new URL(request.url()).pathname)?.[1];
      if (name !== undefined) requested.add(name);
    });
    try {
      const response = await page.goto(`${product.control}${path}`, { waitUntil: 'networkidle' });
      announced = response?.headers()['link'] ?? '';
      await page.getByRole('button', { name: action, exact: true }).waitFor();
    } finally {
      await close();
    }
    expect([...requested].filter((name) => sizeOf(name) === 0)).toEqual([]);
    expect(requested.size).toBeGreaterThan(3);
    // All files must be announced in advance. Otherwise the browser would find each file only after it has
    // loaded the previous one.
    expect(
      [...requested].filter((name) => !announced.includes(`/assets/${name}>; rel=modulepreload`)),
    ).toEqual([]);
    expect([...requested].reduce((sum, name) => sum + sizeOf(name), 0)).toBeLessThanOrEqual(
      FIRST_LOAD_BYTES_MAX,
    );
  });
});

/** The format of `screens.json`. */
interface FirstFiles {
  readonly path: string;
  readonly wanted: readonly { readonly as: string; readonly href: string }[];
}

/** Lists the files that a file imports. */
function listImports(code: string): string[] {
  return [...code.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)].flatMap(([, name]) => name ?? []);
}

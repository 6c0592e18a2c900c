import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootDir } from '@rowhouse/local/paths';
import { expect, it } from 'vitest';
import { listDocuments } from '../../support/code/list-broken-links.mjs';
import { readProduct } from '../../support/product.mjs';

/**
 * Returns a map from each control API call in the documentation, such as `GET /api/databases/{}`, to the
 * pages that name it.
 */
function listNamed(): Map<string, string[]> {
  const named = new Map<string, string[]>();
  for (const file of listDocuments()) {
    const text = readFileSync(join(rootDir, file), 'utf8');
    for (const [, method = '', path = ''] of text.matchAll(
      /\b(GET|POST|PUT|PATCH|DELETE) (\/api\/[\w{}/.-]*[\w}])/g,
    )) {
      const endpoint = `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
      named.set(endpoint, [...(named.get(endpoint) ?? []), file]);
    }
  }
  return named;
}

it('every control API call in the documentation is served', async () => {
  const document = (await (await fetch(`${readProduct().control}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const served = new Set(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
    ),
  );
  const named = listNamed();
  expect(named.size).toBeGreaterThan(40);
  expect(
    [...named]
      .filter(([endpoint]) => !served.has(endpoint))
      .map(([endpoint, files]) => `${endpoint} of ${files.join(', ')}`),
  ).toEqual([]);
});

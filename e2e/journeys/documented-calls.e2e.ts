import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readProduct } from '../support/product.mjs';

const DOCS = new URL('../../docs/', import.meta.url);
/** What was: calls may have gone since. */
const HISTORY = new Set(['changelog.md']);

/** `GET /api/databases/{}` for each call of the control API that a document names, with the documents that do. */
function listNamed(): Map<string, string[]> {
  const named = new Map<string, string[]>();
  for (const folder of ['', 'api/']) {
    for (const file of readdirSync(new URL(folder, DOCS)).filter((name) => name.endsWith('.md') && !HISTORY.has(name))) {
      const text = readFileSync(new URL(`${folder}${file}`, DOCS), 'utf8');
      for (const [, method = '', path = ''] of text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/api\/[\w{}/.-]*[\w}])/g)) {
        const call = `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
        named.set(call, [...(named.get(call) ?? []), `docs/${folder}${file}`]);
      }
    }
  }
  return named;
}

it('every call of the control API that a document names is served', async () => {
  const document = (await (await fetch(`${readProduct().control}/api/openapi.json`)).json()) as { paths: Record<string, Record<string, unknown>> };
  const served = new Set(Object.entries(document.paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`)));
  const named = listNamed();
  expect(named.size).toBeGreaterThan(40);
  expect([...named].filter(([call]) => !served.has(call)).map(([call, files]) => `${call} of ${files.join(', ')}`)).toEqual([]);
});

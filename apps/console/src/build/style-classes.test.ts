import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOURCES = fileURLToPath(new URL('..', import.meta.url));
const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).map((name) => join(SOURCES, name));

/** Returns the class names in the selectors of a CSS module. */
function listDefined(sheet: string): Set<string> {
  const selectors = readFileSync(sheet, 'utf8')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\{[^{}]*\}/g, ';');
  return new Set([...selectors.matchAll(/\.([A-Za-z]\w*)(?![\w-])/g)].map(([, name = '']) => name));
}

/**
 * Returns the class names that components use from each CSS module. `*` means that a class name is computed
 * at runtime.
 */
function listTaken(): Map<string, Set<string>> {
  const taken = new Map<string, Set<string>>();
  for (const file of files.filter((name) => name.endsWith('.tsx'))) {
    const text = readFileSync(file, 'utf8');
    for (const [, local = '', path = ''] of text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
      const sheet = resolve(dirname(file), path);
      const names = taken.get(sheet) ?? new Set();
      taken.set(sheet, names);
      for (const [, name, index] of text
        .replaceAll(/^import .*$/gm, '')
        .matchAll(new RegExp(`\\b${local}(?:\\.(\\w+)|(\\[))`, 'g')))
        names.add(index === undefined ? (name ?? '') : '*');
    }
  }
  return taken;
}

it('style sheets define exactly the classes that components use', () => {
  const [missing, unused]: [string[], string[]] = [[], []];
  const taken = listTaken();
  for (const sheet of files.filter((name) => name.endsWith('.module.css'))) {
    const [defined, names] = [listDefined(sheet), taken.get(sheet) ?? new Set<string>()];
    const at = sheet.slice(SOURCES.length);
    missing.push(
      ...[...names].filter((name) => name !== '*' && !defined.has(name)).map((name) => `${at} .${name}`),
    );
    if (!names.has('*'))
      unused.push(...[...defined].filter((name) => !names.has(name)).map((name) => `${at} .${name}`));
  }
  expect(taken.size).toBeGreaterThan(30);
  expect({ missing, unused }).toEqual({ missing: [], unused: [] });
});

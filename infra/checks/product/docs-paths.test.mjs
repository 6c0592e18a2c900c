import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../vitest-base.mjs';

const PATH = /(?<![\w./@:-])(?:apps|libs|infra|e2e|bench|docs|examples|docker|reports)\/[\w@./-]*[\w/]/g;
/** Folders and files that exist only after a build or a run. */
const GENERATED = /\/dist\/|^e2e\/screens|^docker\/\.env|\/node_modules\//;

/** Lists the Markdown files of the root and of `docs`, relative to the root. */
function listPages() {
  return [
    ...readdirSync(root).filter((name) => name.endsWith('.md')),
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name)),
  ];
}

/**
 * Lists the repository paths that a page names in code spans. In docs/architecture.md, paths in diagrams
 * count as well. Patterns such as `libs/*` do not count.
 * @param {string} page
 */
function listPaths(page) {
  const text = readFileSync(join(root, page), 'utf8');
  const parts =
    page === 'docs/architecture.md' ? [text] : [...text.matchAll(/`[^`\n]+`/g)].map(([span]) => span);
  const found = parts.flatMap((part) =>
    [...part.matchAll(PATH)]
      .filter((match) => !/^[*<{…]/.test(part.slice((match.index ?? 0) + match[0].length)))
      .map(([path]) => path),
  );
  return [...new Set(found)].filter((path) => !GENERATED.test(path));
}

describe('the documentation', () => {
  it.each(listPages())('the document %s names only paths that exist', (page) => {
    expect(listPaths(page).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('docs/architecture.md names at least one path for each of its questions', () => {
    expect(listPaths('docs/architecture.md').length).toBeGreaterThan(60);
  });
});

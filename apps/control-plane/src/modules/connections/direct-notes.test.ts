import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DIRECT_LIMITS, listToolNotes } from './direct-notes.js';

const page = readFileSync(new URL('../../../../../docs/tools.md', import.meta.url), 'utf8');

it('listToolNotes returns the tool notes of an engine, or of all engines for an unknown one', () => {
  const names = (engine: 'mariadb' | 'mysql' | null): string[] =>
    listToolNotes(engine).map((note) => note.name);
  expect(names('mariadb')).toContain('drizzle-kit');
  expect(names('mysql')).not.toContain('drizzle-kit');
  expect(new Set(names(null))).toEqual(new Set([...names('mariadb'), ...names('mysql')]));
});

it('docs/tools.md lists every limit and tool that the Connect page lists', () => {
  const missing = [...DIRECT_LIMITS, ...listToolNotes(null)]
    .flatMap(({ name }) => name.split(', '))
    .filter((word) => !page.toLowerCase().includes(word.toLowerCase().split(' and ')[0] ?? ''));
  expect(missing).toEqual(['MariaDB drivers']);
});

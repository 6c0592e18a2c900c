import { readFile } from 'node:fs/promises';

export type StarterName = 'blog' | 'shop' | 'empty';

/**
 * Returns the SQL of a starter, or null for the empty starter. The SQL files are next to the sources, and the
 * build includes them.
 */
export async function readStarter(name: StarterName): Promise<string | null> {
  if (name === 'empty') return null;
  return readFile(new URL(`../../src/starters/${name}.sql`, import.meta.url), 'utf8');
}

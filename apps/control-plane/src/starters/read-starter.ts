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

/** Returns the INSERT statements of a starter's sample rows. Their rows are in the order of the foreign keys. */
export async function readStarterRows(name: Exclude<StarterName, 'empty'>): Promise<string[]> {
  const text = await readFile(new URL(`../../src/starters/${name}-rows.sql`, import.meta.url), 'utf8');
  return text.split(/;\n/).filter((statement) => statement.includes('INSERT'));
}

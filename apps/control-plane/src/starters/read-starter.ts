import { readFile } from 'node:fs/promises';

export type StarterName = 'blog' | 'shop' | 'empty';

/** The SQL of a starter; null for the empty one. The files lie beside the sources, which ship with the build. */
export async function readStarter(name: StarterName): Promise<string | null> {
  if (name === 'empty') return null;
  return readFile(new URL(`../../src/starters/${name}.sql`, import.meta.url), 'utf8');
}

import { nearestNames } from '@rowhouse/errors';
import type { Lexicon } from '../lexicon/lexicon.js';

const NAMES_MAX = 5;
/** The maximum number of unknown words to look up. Each of them is compared with all names of the schema. */
const WORDS_MAX = 8;

/** Returns schema names that are similar to the unknown words. */
export function listNearest(unknown: readonly string[], lexicon: Lexicon): string[] {
  const names = lexicon.snapshot.tables.flatMap((table) => [
    table.name,
    ...table.columns.map((column) => `${table.name}.${column.name}`),
  ]);
  const lastParts = new Map(names.map((name) => [name.slice(name.lastIndexOf('.') + 1), name]));
  const parts = [...lastParts.keys()];
  const near = new Set<string>();
  for (const word of unknown.slice(0, WORDS_MAX)) {
    if (near.size >= NAMES_MAX) break;
    for (const part of nearestNames(word, parts)) near.add(lastParts.get(part) ?? part);
  }
  return [...near].slice(0, NAMES_MAX);
}

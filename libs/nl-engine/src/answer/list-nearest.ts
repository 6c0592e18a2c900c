import { nearestNames } from '@rowhouse/errors';
import type { Lexicon } from '../lexicon/build-lexicon.js';

const NAMES_MAX = 5;
/** Each is compared with all names of the schema. */
const WORDS_MAX = 20;

/** Names of the schema that look like the words it does not know. */
export function listNearest(unknown: readonly string[], lexicon: Lexicon): string[] {
  const names = lexicon.snapshot.tables.flatMap((table) => [table.name, ...table.columns.map((column) => `${table.name}.${column.name}`)]);
  const lastParts = new Map(names.map((name) => [name.slice(name.lastIndexOf('.') + 1), name]));
  return [...new Set(unknown.slice(0, WORDS_MAX).flatMap((word) => nearestNames(word, [...lastParts.keys()])).map((part) => lastParts.get(part) ?? part))].slice(0, NAMES_MAX);
}

import type { Table } from '@rowhouse/schema-model';
import type { Lexicon } from '../lexicon/build-lexicon.js';

/** What any of those who have a part to play is beside it. */
const ANYONE = new Set(['person', 'individual', 'human']);

/** Are rows of the one table rows of the other, which it refers to: gymnasts and people, delivery addresses and addresses? A table between two others is neither. */
export function isKindOf(table: Table, other: Table, { tableWords }: Pick<Lexicon, 'tableWords'>): boolean {
  const [own, others] = [tableWords.get(table) ?? [], tableWords.get(other) ?? []];
  const isHead = table.foreignKeys.length === 1 && others.length < own.length && others.every((word, at) => own[own.length - others.length + at] === word);
  return isHead || ANYONE.has(others.at(-1) ?? '');
}

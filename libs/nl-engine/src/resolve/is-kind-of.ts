import type { Table } from '@rowhouse/schema-model';
import type { Lexicon } from '../lexicon/lexicon.js';
import { wordSet } from '../words/word-set.js';

/** Names of tables whose rows can have any role. */
const ANYONE = wordSet('person individual human');

/**
 * Returns whether each row of a table is also a row of another table that it references, such as gymnasts and
 * people, or delivery addresses and addresses. Junction tables do not qualify.
 */
export function isKindOf(table: Table, other: Table, { tableWords }: Pick<Lexicon, 'tableWords'>): boolean {
  const [own, others] = [tableWords.get(table) ?? [], tableWords.get(other) ?? []];
  const isHead =
    table.foreignKeys.length === 1 &&
    others.length < own.length &&
    others.every((word, index) => own[own.length - others.length + index] === word);
  return isHead || ANYONE.has(others.at(-1) ?? '');
}

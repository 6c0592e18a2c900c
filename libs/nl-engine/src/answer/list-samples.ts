import type { Steps, Table } from '@rowhouse/schema-model';
import type { Lexicon } from '../lexicon/lexicon.js';
import { findLabel } from '../resolve/find-label.js';
import { isNumeric } from '../resolve/column-kinds.js';

const SAMPLES_MAX = 3;
const ATTEMPTS_MAX = 12;

const known = new WeakMap<Lexicon, readonly string[]>();

/**
 * Returns up to three sample questions about this schema for which `works` returns true. Each step tries one
 * question. The result is cached.
 */
export function* listSamplesSteps(
  lexicon: Lexicon,
  works: (question: string) => boolean,
): Steps<readonly string[]> {
  const samples = known.get(lexicon) ?? (yield* findSamples(lexicon, works));
  known.set(lexicon, samples);
  return samples;
}

function* findSamples(lexicon: Lexicon, works: (question: string) => boolean): Steps<readonly string[]> {
  const found: string[] = [];
  const writers = [askForRowCount, askForCountByParent, askForAverage, askForLabels];
  let attempts = 0;
  for (const writeQuestion of writers) {
    for (const table of lexicon.snapshot.tables) {
      if (found.length >= SAMPLES_MAX || attempts >= ATTEMPTS_MAX) return found;
      const question = writeQuestion(table, lexicon);
      if (question === null) continue;
      attempts += 1;
      yield;
      if (!works(question)) continue;
      found.push(question);
      break;
    }
  }
  return found;
}

const nounOf = (lexicon: Lexicon, table: Table): string =>
  (lexicon.tableWords.get(table) ?? [table.name]).join(' ');
const plural = (words: string): string =>
  /(s|x|ch|sh)$/.test(words)
    ? `${words}es`
    : /[^aeiou]y$/.test(words)
      ? `${words.slice(0, -1)}ies`
      : `${words}s`;

function askForRowCount(table: Table, lexicon: Lexicon): string {
  return `How many ${plural(nounOf(lexicon, table))} are there?`;
}

function askForCountByParent(table: Table, lexicon: Lexicon): string | null {
  const [key] = table.foreignKeys;
  const parent = lexicon.snapshot.tables.find((other) => other.name === key?.referencedTable);
  return parent === undefined || parent === table
    ? null
    : `Number of ${plural(nounOf(lexicon, table))} for each ${nounOf(lexicon, parent)}`;
}

function askForAverage(table: Table, lexicon: Lexicon): string | null {
  const column = table.columns.find(
    (column) =>
      isNumeric(column) &&
      column.valueKind !== 'boolean' &&
      !table.primaryKey?.includes(column.name) &&
      !table.foreignKeys.some((key) => key.columns.includes(column.name)),
  );
  return column === undefined
    ? null
    : `What is the average ${(lexicon.columnWords.get(column) ?? [column.name]).join(' ')} of ${plural(nounOf(lexicon, table))}?`;
}

/**
 * Returns a question for the labels of a table. Returns null if the label is a numeric key, because a list of
 * such keys is not useful.
 */
function askForLabels(table: Table, lexicon: Lexicon): string | null {
  const [column] = findLabel(table);
  return column === undefined || (table.primaryKey?.includes(column.name) === true && isNumeric(column))
    ? null
    : `List the ${(lexicon.columnWords.get(column) ?? [column.name]).join(' ')} of all ${plural(nounOf(lexicon, table))}`;
}

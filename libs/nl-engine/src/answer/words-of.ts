import type { Column, Table } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../link/link-question.js';

/** The words that the name of a table or column is made of, as questions say them. */
export function wordsOf(entry: Column | Table, { lexicon }: LinkedQuestion): readonly string[] {
  return ('columns' in entry ? lexicon.tableWords.get(entry) : lexicon.columnWords.get(entry)) ?? [];
}

import type { Column, Table } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../link/linked-question.js';

/** Returns the words in the name of a table or column. */
export function wordsOf(entry: Column | Table, { lexicon }: LinkedQuestion): readonly string[] {
  return ('columns' in entry ? lexicon.tableWords.get(entry) : lexicon.columnWords.get(entry)) ?? [];
}

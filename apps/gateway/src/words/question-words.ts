import type { ColumnValues, Synonym } from '@rowhouse/nl-engine';

/** What questions to one database are read with, beside its schema. Immutable; replaced as a whole. */
export interface QuestionWords {
  /** Of the value index; 0: there is none yet. */
  readonly version: number;
  readonly values: readonly ColumnValues[];
  readonly synonyms: readonly Synonym[];
  /** What it is thought to take in memory. */
  readonly bytes: number;
}

export const NO_WORDS: QuestionWords = { version: 0, values: [], synonyms: [], bytes: 0 };

const BYTES_PER_VALUE = 60;

export function makeQuestionWords(version: number, values: readonly ColumnValues[], synonyms: readonly Synonym[]): QuestionWords {
  const ofValues = values.reduce((sum, column) => sum + column.values.reduce((inner, value) => inner + 2 * value.length + BYTES_PER_VALUE, 0), 0);
  return { version, values, synonyms, bytes: 1_000 + ofValues + synonyms.length * 300 };
}

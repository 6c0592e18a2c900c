import type { ColumnValues, Synonym } from '@rowhouse/nl-engine';

/** The values and synonyms for questions to one database. Immutable, and replaced as a whole. */
export interface QuestionVocabulary {
  /** The version of the value index, or 0 without an index. */
  readonly version: number;
  readonly values: readonly ColumnValues[];
  readonly synonyms: readonly Synonym[];
  /** The estimated size in memory. */
  readonly bytes: number;
}

export const NO_WORDS: QuestionVocabulary = { version: 0, values: [], synonyms: [], bytes: 0 };

const BYTES_PER_VALUE = 60;

export function makeQuestionVocabulary(
  version: number,
  values: readonly ColumnValues[],
  synonyms: readonly Synonym[],
): QuestionVocabulary {
  const ofValues = values.reduce(
    (sum, column) =>
      sum + column.values.reduce((inner, value) => inner + 2 * value.length + BYTES_PER_VALUE, 0),
    0,
  );
  return { version, values, synonyms, bytes: 1_000 + ofValues + synonyms.length * 300 };
}

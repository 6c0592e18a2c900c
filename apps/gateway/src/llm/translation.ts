import type { Answer } from '@rowhouse/nl-engine';

/** The model's part in a translation, for the verbose response. */
export interface ModelNote {
  readonly model: string;
  /** The input and output tokens of all requests for this question. */
  readonly tokens: number;
  readonly attempts: number;
  readonly repairs: number;
}

/** A question translated to SQL by either engine. */
export interface Translation extends Omit<Answer, 'confidence' | 'tieBreakers'> {
  /** Null for a model, because a model's own estimate is meaningless. */
  readonly confidence: number | null;
  /** `cache` means that a model wrote the SQL for an earlier identical question. */
  readonly source: 'rules' | 'llm' | 'cache';
  readonly llm: ModelNote | null;
  /** The id of the question in the history and for feedback. */
  readonly questionId: string;
}

import type { Reply } from '@rowhouse/nl-engine';

/** What the verbose answer tells of a model's part in it. */
export interface ModelNote {
  readonly model: string;
  /** In and out together, of all requests for this question. */
  readonly tokens: number;
  readonly attempts: number;
  readonly repairs: number;
}

/** A question as SQL, by whichever engine. */
export interface Translation extends Omit<Reply, 'confidence' | 'tieBreakers'> {
  /** Null for a model's: its own word for it says nothing. */
  readonly confidence: number | null;
  /** `cache`: a model wrote it for an earlier question that was the same. */
  readonly source: 'rules' | 'llm' | 'cache';
  readonly llm: ModelNote | null;
  /** By which it is found in the history and judged. */
  readonly questionId: string;
}

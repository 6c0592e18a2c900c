import type { Answer } from '@rowhouse/nl-engine';
import { LRUCache } from 'lru-cache';

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
/** SQL that a model wrote for a question, after all checks. Rows are never cached. */
export interface CachedTranslation {
  readonly sql: string;
  readonly note: ModelNote;
}

/**
 * A cache of translations. The name of an entry is a digest of everything that the translation depends on.
 * The guard checks cached SQL like any other SQL.
 */
export interface TranslationCache {
  /** Returns the entry of this process, or else of the shared cache. Never rejects. */
  get(databaseId: string, name: string): Promise<CachedTranslation | null>;
  set(databaseId: string, name: string, value: CachedTranslation): void;
}

/**
 * The cache that all gateways of a cell share. A read finds nothing when the cache is slow or unavailable.
 * Writes do not wait and never fail.
 */
export interface SharedTranslations {
  readTranslation(databaseId: string, name: string): Promise<string | null>;
  writeTranslation(databaseId: string, name: string, text: string): void;
}

/**
 * Creates the cache. When it is full, the least recently used entry is evicted. Each name is a digest, and
 * each statement has at most 16 KB.
 */
export function createTranslationCache(entriesMax: number, shared: SharedTranslations): TranslationCache {
  const entries = new LRUCache<string, CachedTranslation>({ max: entriesMax });

  return {
    async get(databaseId, name) {
      const known = entries.get(name);
      if (known !== undefined) return known;
      const text = await shared.readTranslation(databaseId, name);
      if (text === null) return null;
      const found = JSON.parse(text) as CachedTranslation;
      entries.set(name, found);
      return found;
    },
    set(databaseId, name, value) {
      entries.set(name, value);
      shared.writeTranslation(databaseId, name, JSON.stringify(value));
    },
  };
}

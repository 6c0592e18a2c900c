import type { ModelNote } from './translation.js';

/** SQL that a model wrote for a question, after all checks. Rows are never kept. */
export interface CachedTranslation {
  readonly sql: string;
  readonly note: ModelNote;
}

export interface TranslationCache {
  get(name: string): CachedTranslation | null;
  set(name: string, value: CachedTranslation): void;
}

/** The least recently used go first. Names are digests; a statement has at most 16 KB. */
export function createTranslationCache(entriesMax: number): TranslationCache {
  const entries = new Map<string, CachedTranslation>();
  return {
    get(name) {
      const found = entries.get(name);
      if (found === undefined) return null;
      entries.delete(name);
      entries.set(name, found);
      return found;
    },
    set(name, value) {
      entries.delete(name);
      entries.set(name, value);
      if (entries.size <= entriesMax) return;
      const [oldest] = entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
    },
  };
}

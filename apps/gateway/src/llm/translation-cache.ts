import type { ModelNote } from './translation.js';

/** SQL that a model wrote for a question, after all checks. Rows are never cached. */
export interface CachedTranslation {
  readonly sql: string;
  readonly note: ModelNote;
}

/**
 * A cache by a digest of everything that a translation depends on. The guard checks cached SQL like any other
 * text.
 */
export interface TranslationCache {
  /** Returns the entry of this process, or else of the shared cache. Never rejects. */
  get(databaseId: string, name: string): Promise<CachedTranslation | null>;
  set(databaseId: string, name: string, value: CachedTranslation): void;
}

/**
 * The cache that all gateways of a cell share. Reads miss when it is slow or unavailable. Writes do not wait
 * and never fail.
 */
export interface SharedTranslations {
  readTranslation(databaseId: string, name: string): Promise<string | null>;
  writeTranslation(databaseId: string, name: string, text: string): void;
}

/**
 * Creates the cache. The process evicts the least recently used entries. Names are digests, and a statement
 * has at most 16 KB.
 */
export function createTranslationCache(entriesMax: number, shared: SharedTranslations): TranslationCache {
  const entries = new Map<string, CachedTranslation>();

  function keep(name: string, value: CachedTranslation): void {
    entries.delete(name);
    entries.set(name, value);
    if (entries.size <= entriesMax) return;
    const [oldest] = entries.keys();
    if (oldest !== undefined) entries.delete(oldest);
  }

  return {
    async get(databaseId, name) {
      const text = entries.has(name) ? null : await shared.readTranslation(databaseId, name);
      const found = entries.get(name) ?? (text === null ? null : (JSON.parse(text) as CachedTranslation));
      if (found !== null) keep(name, found);
      return found;
    },
    set(databaseId, name, value) {
      keep(name, value);
      shared.writeTranslation(databaseId, name, JSON.stringify(value));
    },
  };
}

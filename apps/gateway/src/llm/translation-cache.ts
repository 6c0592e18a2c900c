import type { ModelNote } from './translation.js';

/** SQL that a model wrote for a question, after all checks. Rows are never kept. */
export interface CachedTranslation {
  readonly sql: string;
  readonly note: ModelNote;
}

/** By a digest of all that a translation depends on; the guard judges what comes out of it like any other text. */
export interface TranslationCache {
  /** Of this process, else of the gateways together. Never throws. */
  get(databaseId: string, name: string): Promise<CachedTranslation | null>;
  set(databaseId: string, name: string, value: CachedTranslation): void;
}

/** The cache that all gateways of a cell share. A miss when it is slow or away; writing never waits and never fails. */
export interface SharedTranslations {
  readTranslation(databaseId: string, name: string): Promise<string | null>;
  writeTranslation(databaseId: string, name: string, text: string): void;
}

/** In the process the least recently used go first. Names are digests; a statement has at most 16 KB. */
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

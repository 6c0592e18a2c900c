import type { CompiledTable } from '@rowhouse/schema-model';

/**
 * The maximum number of cached texts for one table and one purpose. In practice, only a few sets of columns
 * are used again.
 */
const TEXTS_MAX = 64;

/**
 * Caches the SQL texts of statements. The key of a text consists of the table, an object that determines the
 * rest of the text, and a name. The object must live as long as the text is useful. The cache always returns
 * the same string object, so that lookups by text need not compare characters.
 */
export interface StatementTexts {
  find(table: CompiledTable, of: object, name: string): string | undefined;
  /** Stores the text and returns it. */
  keep(table: CompiledTable, of: object, name: string, text: string): string;
}

export function createStatementTexts(): StatementTexts {
  const known = new WeakMap<CompiledTable, WeakMap<object, Map<string, string>>>();
  return {
    find: (table, of, name) => known.get(table)?.get(of)?.get(name),
    keep(table, of, name, text) {
      let ofTable = known.get(table);
      if (ofTable === undefined) known.set(table, (ofTable = new WeakMap()));
      let texts = ofTable.get(of);
      if (texts === undefined) ofTable.set(of, (texts = new Map()));
      if (texts.size >= TEXTS_MAX) texts.clear();
      texts.set(name, text);
      return text;
    },
  };
}

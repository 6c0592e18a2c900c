import type { CompiledTable } from '@rowhouse/schema-model';

/** Texts kept of one table and one purpose: few sets of columns come again and again. */
const TEXTS_MAX = 64;

/**
 * Texts of statements that were put together before. Found by the table, by what else the text is made of (an object that
 * lives as long), and by a name for the rest. What is found is the same string each time: who looks a statement up by its
 * text need not read it.
 */
export interface StatementTexts {
  find(table: CompiledTable, of: object, name: string): string | undefined;
  /** Gives the text back. */
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

import type { Table } from '@rowhouse/schema-model';
import { spellValue } from './spell-value.js';
import type { SampleRow, SampleValue } from './types.js';

/** Remembers what unique keys hold, so that no row is made whose key is taken. */
export interface UniqueTracker {
  isTaken(row: SampleRow): boolean;
  add(row: SampleRow): void;
  /** Columns that are a unique key by themselves. */
  readonly alone: ReadonlySet<string>;
}

export function trackUnique(table: Table): UniqueTracker {
  const keys = table.indexes.filter((index) => index.unique && index.columns.every((part) => part.name !== null));
  const seen = keys.map(() => new Set<string>());
  const spell = (at: number, row: SampleRow): string | null => spellKey((keys[at]?.columns ?? []).map((part) => ({ value: row[part.name ?? ''], length: part.prefixLength })));
  return {
    isTaken: (row) => seen.some((one, at) => one.has(spell(at, row) ?? '')),
    add: (row) => seen.forEach((one, at) => {
      const key = spell(at, row);
      if (key !== null) one.add(key);
    }),
    alone: new Set(keys.flatMap((key) => (key.columns.length === 1 ? [key.columns[0]?.name ?? ''] : []))),
  };
}

/** Null where a part is NULL or left to the engine: no two such keys are alike. */
function spellKey(parts: readonly { readonly value: SampleValue | undefined; readonly length: number | null }[]): string | null {
  const texts: string[] = [];
  for (const { value, length } of parts) {
    if (value === null || value === undefined) return null;
    texts.push(spellValue(value, length));
  }
  return JSON.stringify(texts);
}

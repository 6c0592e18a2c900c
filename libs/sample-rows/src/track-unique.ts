import type { Table } from '@rowhouse/schema-model';
import type { SampleRow, SampleValue } from './types.js';

/** Remembers the values of unique keys, so that two rows never have the same. */
export interface UniqueTracker {
  isTaken(row: SampleRow): boolean;
  add(row: SampleRow): void;
  /** The columns that are a unique key by themselves. */
  readonly alone: ReadonlySet<string>;
}

export function trackUnique(table: Table): UniqueTracker {
  const keys = table.indexes.filter(
    (index) => index.unique && index.columns.every((part) => part.name !== null),
  );
  const seen = keys.map(() => new Set<string>());
  const spell = (index: number, row: SampleRow): string | null =>
    spellKey(
      (keys[index]?.columns ?? []).map((part) => ({
        value: row[part.name ?? ''],
        length: part.prefixLength,
      })),
    );
  return {
    isTaken: (row) => seen.some((item, index) => item.has(spell(index, row) ?? '')),
    add: (row) =>
      seen.forEach((item, index) => {
        const key = spell(index, row);
        if (key !== null) item.add(key);
      }),
    alone: new Set(keys.flatMap((key) => (key.columns.length === 1 ? [key.columns[0]?.name ?? ''] : []))),
  };
}

/**
 * Returns a text for the values of a key. Returns null if a part is NULL or assigned by the engine, because
 * such keys are never equal.
 */
function spellKey(
  parts: readonly { readonly value: SampleValue | undefined; readonly length: number | null }[],
): string | null {
  const texts: string[] = [];
  for (const { value, length } of parts) {
    if (value === null || value === undefined) return null;
    texts.push(spellValue(value, length));
  }
  return JSON.stringify(texts);
}

/**
 * Returns a text for a value. It is the same for values that any collation may treat as equal, so it ignores
 * case and trailing spaces.
 */
export function spellValue(value: Exclude<SampleValue, null>, length: number | null = null): string {
  if (typeof value === 'string')
    return (length === null ? value : value.slice(0, length)).toLowerCase().trimEnd();
  if (typeof value === 'number') return String(value);
  return value instanceof Uint8Array ? value.join(',') : value.text;
}

import fc from 'fast-check';
import { isJsonObject, parseJson, type JsonValue } from '@rowhouse/rest-engine';

/** One value on its way: JSON text that is sent, JSON text that must come back, and the stored text as `TypeCase.raw` reads it. */
export interface Written {
  readonly json: string;
  readonly read: string;
  readonly raw: string;
}

/**
 * `equal`: eq, ne, in. `order`: gt, gte, lt, lte, between. `sort`, `cursor`: as parameters. `key`: may be a primary key.
 * `foreign`: may be a foreign key. `scalar`: eq is served, but a list is not. `null`: isnull alone.
 */
export type Road = 'null' | 'equal' | 'scalar' | 'order' | 'sort' | 'cursor' | 'key' | 'foreign';

export interface TypeCase {
  /** Of the tables made for it: letters and digits. */
  readonly name: string;
  readonly type: string;
  readonly engine: 'mariadb' | 'mysql' | 'both';
  readonly values: fc.Arbitrary<Written>;
  /** Tried in every run. */
  readonly edges: readonly Written[];
  /** SQL over the column `v` that gives its stored value as text, whatever a driver would make of it. */
  readonly raw: string;
  /** SQL over `v` that lists are sorted by, where the engine's own order of the column is not meant. */
  readonly order?: string;
  /** SQL over `v` that the independent connection compares by; `v` unless given. */
  readonly subject?: string;
  readonly roads: readonly Road[];
  /** `number`: digits may be spelled in another way; `single`: they name the nearest 32-bit float. `json`: members may come in another order, numbers spelled in another way. */
  readonly compare: 'exact' | 'number' | 'single' | 'json';
}

export const EVERY_ROAD: readonly Road[] = ['equal', 'order', 'sort', 'cursor', 'key', 'foreign'];

export function same(json: string, raw = json): Written {
  return { json, read: json, raw };
}

/** Comparable: numbers as their digits, or as numbers where spelling is free. */
export function toComparable(json: string, compare: TypeCase['compare']): unknown {
  return simplify(parseJson(json), compare);
}

function simplify(value: JsonValue, compare: TypeCase['compare']): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => simplify(item, compare));
  if (isJsonObject(value)) {
    const members = [...value].map(([name, member]) => [name, simplify(member, compare)] as const);
    return compare === 'json' ? new Map(members.sort(([a], [b]) => (a < b ? -1 : 1))) : members;
  }
  const { text } = value as { readonly text: string };
  if (compare === 'exact') return `#${text}`;
  return compare === 'single' ? Math.fround(Number(text)) : Number(text);
}

/** A member of each record of an array, as the JSON text it was sent in. */
export function memberTexts(json: string, member: string): string[] {
  const records = parseJson(json) as readonly ReadonlyMap<string, JsonValue>[];
  return records.map((record) => writeText(record.get(member) ?? null));
}

export function memberText(json: string, member: string): string {
  return writeText((parseJson(json) as ReadonlyMap<string, JsonValue>).get(member) ?? null);
}

function writeText(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => writeText(item)).join(',')}]`;
  if (isJsonObject(value)) return `{${[...value].map(([name, item]) => `${JSON.stringify(name)}:${writeText(item)}`).join(',')}}`;
  return (value as { readonly text: string }).text;
}

/** The value as an address writes it. */
export function toAddressText(read: string): string {
  const value = parseJson(read);
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(String).join(',') : writeText(value);
}

export function pad(value: number | bigint | string, length: number): string {
  return String(value).padStart(length, '0');
}

import fc from 'fast-check';
import { isJsonObject, parseJson, type JsonValue } from '@rowhouse/rest-engine';

/**
 * A value: the JSON text to send, the JSON text expected back, and the stored text as `TypeCase.raw` reads
 * it.
 */
export interface Written {
  readonly json: string;
  readonly read: string;
  readonly raw: string;
}

/**
 * The features that a type supports.
 *
 * - `equal`: eq, ne and in
 * - `order`: gt, gte, lt, lte and between
 * - `sort`, `cursor`: as query parameters
 * - `key`: as a primary key
 * - `foreign`: as a foreign key
 * - `scalar`: eq, but not a list
 * - `null`: only isnull
 */
export type ColumnUse = 'null' | 'equal' | 'scalar' | 'order' | 'sort' | 'cursor' | 'key' | 'foreign';

export interface TypeCase {
  /** The suffix of the names of the case's tables. It consists of letters and digits. */
  readonly name: string;
  readonly type: string;
  readonly engine: 'mariadb' | 'mysql' | 'both';
  readonly values: fc.Arbitrary<Written>;
  /** Values that are tested in each run. */
  readonly edges: readonly Written[];
  /** SQL over the column `v` that returns its stored value as text, independent of the driver. */
  readonly raw: string;
  /**
   * An SQL expression over `v` by which lists are sorted. Undefined if they are sorted by the column itself.
   */
  readonly order?: string;
  /** SQL over `v` by which the independent connection compares. `v` by default. */
  readonly subject?: string;
  readonly codePaths: readonly ColumnUse[];
  /**
   * How values are compared. With `number`, the digits may be written differently. With `single`, both must
   * be the same 32-bit float. With `json`, members may also be in another order.
   */
  readonly compare: 'exact' | 'number' | 'single' | 'json';
}

export const EVERY_CODE_PATH: readonly ColumnUse[] = ['equal', 'order', 'sort', 'cursor', 'key', 'foreign'];

export function same(json: string, raw = json): Written {
  return { json, read: json, raw };
}

/**
 * Converts JSON text to a comparable value. Numbers become their digits, or numbers where the spelling may
 * differ.
 */
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

/** Returns a member of each record in an array, as the JSON text that was sent. */
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
  if (isJsonObject(value))
    return `{${[...value].map(([name, item]) => `${JSON.stringify(name)}:${writeText(item)}`).join(',')}}`;
  return (value as { readonly text: string }).text;
}

/** Returns the value as written in a URL. */
export function toAddressText(read: string): string {
  const value = parseJson(read);
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(String).join(',') : writeText(value);
}

export function pad(value: number | bigint | string, length: number): string {
  return String(value).padStart(length, '0');
}

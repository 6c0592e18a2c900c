import { isJsonArray, isJsonNumber, isJsonObject } from '../../request/json-value.js';
import type { JsonValue } from '../../request/json-value.js';
import { quoteJson } from '../../request/serialize-json.js';
import { readExactNumber, toNumberPattern, type ExactNumber } from '../../values/exact-number.js';

/**
 * The checks that supplement MariaDB's JSON_CONTAINS. This function treats numbers as equal if they differ by
 * less than 1e-12 or have the same double. The patterns are regular expressions over the text of a document.
 */
export type Containment =
  | { readonly kind: 'number'; readonly value: ExactNumber; readonly pattern: string }
  /** An object with its members. `inArray` contains the patterns for an array of such objects. */
  | {
      readonly kind: 'members';
      readonly members: readonly { readonly path: string; readonly containment: Containment }[];
      readonly inArray: readonly string[];
    }
  | { readonly kind: 'items'; readonly patterns: readonly string[] };

/**
 * The maximum number of numbers in the value of `json_contains`. More numbers would make the statement too
 * long.
 */
export const CONTAINED_NUMBERS_MAX = 100;

/**
 * Plans the additional checks for a value. Returns null if it contains no number. Returns `refused` if it
 * contains too many numbers, or a number outside the range of doubles.
 */
export function planContainment(value: JsonValue): Containment | 'refused' | null {
  const budget = { numbers: 0, isRefused: false };
  const containment = plan(value, budget);
  return budget.isRefused || budget.numbers > CONTAINED_NUMBERS_MAX ? 'refused' : containment;
}

interface Budget {
  numbers: number;
  isRefused: boolean;
}

function plan(value: JsonValue, budget: Budget): Containment | null {
  if (
    budget.isRefused ||
    budget.numbers > CONTAINED_NUMBERS_MAX ||
    value === null ||
    typeof value !== 'object'
  )
    return null;
  if (isJsonNumber(value)) {
    const number = readExactNumber(value.text);
    budget.numbers += 1;
    if (number === null) budget.isRefused = true;
    return number === null ? null : { kind: 'number', value: number, pattern: toItemPattern(number) };
  }
  if (isJsonArray(value)) {
    const patterns = value.flatMap((item) => toPatterns(plan(item, budget)));
    return patterns.length === 0 ? null : { kind: 'items', patterns };
  }
  if (!isJsonObject(value)) return null;
  const members: { path: string; containment: Containment }[] = [];
  const inArray: string[] = [];
  for (const [name, member] of value) {
    const containment = plan(member, budget);
    if (containment === null) continue;
    members.push({ path: `.${JSON.stringify(name)}`, containment });
    if (containment.kind === 'number') inArray.push(toMemberPattern(name, containment.value));
    else inArray.push(...toPatterns(containment));
  }
  return members.length === 0 ? null : { kind: 'members', members, inArray };
}

function toPatterns(containment: Containment | null): readonly string[] {
  if (containment === null) return [];
  return containment.kind === 'number'
    ? [containment.pattern]
    : containment.kind === 'items'
      ? containment.patterns
      : containment.inArray;
}

/** Returns a pattern that matches the number as an item of an array. */
function toItemPattern(number: ExactNumber): string {
  return `[\\[,]\\s*${toNumberPattern(number)}\\s*[,\\]]`;
}

/**
 * Returns a pattern that matches the number as the value of a member, or as an item if this value is an
 * array.
 */
function toMemberPattern(name: string, number: ExactNumber): string {
  const key = quoteJson(name).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return `${key}\\s*:\\s*(?:\\[(?:[^{}]*,)?\\s*)?${toNumberPattern(number)}\\s*[,\\]}]`;
}

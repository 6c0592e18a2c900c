import { readJsonPath, type JsonPath, splitSegments, type PathSegment } from '../../request/path-segments.js';
import { splitNames } from '../list/plan-select.js';
import type { AggregateFunction, DatePart } from './aggregate-plan.js';

/** The location of a value inside a JSON column. */
export type InsideJson = Pick<JsonPath, 'path' | 'names'>;

/**
 * An item of `_aggregate` such as `n:sum:user.age`, with its alias, its function and its column. If the alias
 * is null, the member's name is derived from the other two.
 */
export interface AggregateTerm {
  readonly text: string;
  readonly alias: string | null;
  /** The function's name as the client wrote it. No such function may exist. */
  readonly function: string;
  /** The path of the column. Null for a function of whole records, such as a count. */
  readonly path: readonly string[] | null;
  readonly inside: InsideJson | null;
}

/** An item of `_group` such as `month:created_at:month`. */
export interface GroupTerm {
  readonly text: string;
  readonly alias: string | null;
  readonly path: readonly string[];
  readonly inside: InsideJson | null;
  readonly part: DatePart | null;
}

export const FUNCTIONS: readonly AggregateFunction[] = [
  'count',
  'count_distinct',
  'sum',
  'avg',
  'min',
  'max',
];
export const PARTS: readonly DatePart[] = ['year', 'quarter', 'month', 'week', 'day', 'hour'];

/**
 * Splits `_aggregate` into its items. Invalid items are null. In an item with two parts, the first part is
 * the function if such a function exists, and the alias otherwise.
 */
export function splitAggregates(text: string): (AggregateTerm | null)[] {
  return splitNames(text).map((item) => {
    const parts = splitParts(item);
    const [first, second, third] = parts ?? [];
    if (parts === null || first === undefined || parts.length > 3) return null;
    if (second === undefined) return toAggregate(item, null, first, null);
    if (third === undefined)
      return isWord(first, FUNCTIONS)
        ? toAggregate(item, null, first, second)
        : toAggregate(item, first, second, null);
    return toAggregate(item, first, second, third);
  });
}

/**
 * Splits `_group` into its items. Invalid items are null. In an item with two parts, the second part is the
 * date part if such a date part exists.
 */
export function splitGroups(text: string): (GroupTerm | null)[] {
  return splitNames(text).map((item) => {
    const parts = splitParts(item);
    const [first, second, third] = parts ?? [];
    if (parts === null || first === undefined || parts.length > 3) return null;
    if (second === undefined) return toGroup(item, null, first, null);
    if (third === undefined)
      return isWord(second, PARTS) ? toGroup(item, null, first, second) : toGroup(item, first, second, null);
    return isWord(third, PARTS) ? toGroup(item, first, second, third) : null;
  });
}

interface Part {
  readonly segments: readonly PathSegment[];
  readonly inside: InsideJson | null;
}

function toAggregate(text: string, alias: Part | null, name: Part, path: Part | null): AggregateTerm | null {
  if ((alias !== null && !isName(alias)) || !isName(name)) return null;
  const isOfRecords = path === null || isStar(path);
  return {
    text,
    alias: alias === null ? null : nameOf(alias),
    function: nameOf(name),
    path: isOfRecords ? null : namesOf(path),
    inside: isOfRecords ? null : path.inside,
  };
}

function toGroup(text: string, alias: Part | null, path: Part, part: Part | null): GroupTerm | null {
  if ((alias !== null && !isName(alias)) || isStar(path)) return null;
  return {
    text,
    alias: alias === null ? null : nameOf(alias),
    path: namesOf(path),
    inside: path.inside,
    part: (part === null ? null : nameOf(part)) as DatePart | null,
  };
}

function namesOf({ segments }: Part): string[] {
  return segments.map((segment) => segment.name);
}

function isName({ segments, inside }: Part): boolean {
  return segments.length === 1 && inside === null;
}

function nameOf({ segments }: Part): string {
  return segments[0]?.name ?? '';
}

function isWord(part: Part, words: readonly string[]): boolean {
  const [only] = part.segments;
  return only !== undefined && isName(part) && !only.isQuoted && words.includes(only.name);
}

function isStar(part: Part): boolean {
  return isName(part) && nameOf(part) === '*' && part.segments[0]?.isQuoted === false;
}

/**
 * Splits an item at its colons into paths. A path may continue inside JSON after an arrow. `*` is a path by
 * itself.
 */
function splitParts(text: string): Part[] | null {
  const parts: Part[] = [];
  for (let index = 0; ; index += 1) {
    const read =
      text[index] === '*'
        ? { segments: [{ name: '*', isQuoted: false }], end: index + 1 }
        : splitSegments(text, index);
    if (read === null) return null;
    const inside = text.startsWith('->', read.end) ? readJsonPath(text, read.end + 2) : null;
    parts.push({ segments: read.segments, inside });
    index = inside?.end ?? read.end;
    if (index === text.length) return parts;
    if (text[index] !== ':') return null;
  }
}

import { FILTERS_PARAMETER, type FilterOperator, type QueryControl } from '@rowhouse/schema-model';
import type { FilterKey } from './api-request.js';
import { toJsonPath, type PathSegment, splitSegments } from './path-segments.js';
import { CONTROLS, FOREIGN_WORDS, OPERATORS } from './parameter-words.js';

/**
 * The meaning of a query key. It depends on the syntax of the key only, so adding a column never changes the
 * meaning of an existing key.
 */
export type QueryKey =
  | { readonly kind: 'control'; readonly control: QueryControl }
  | ({ readonly kind: 'filter' } & FilterKey)
  /** The parameter is reserved for future use. */
  | { readonly kind: 'reserved'; readonly what: string }
  | { readonly kind: 'refused'; readonly message: string; readonly hint: string | null };

/** The maximum length of a query key, including relationships, a path into JSON and an operator. */
export const KEY_LENGTH_MAX = 4_096;

/**
 * Matches names of ASCII letters, digits and underscores, which need no backquotes. Nearly all keys have this
 * form.
 */
const PLAIN_KEY = /^[A-Za-z]\w*$/;

/** The start of a key such as `filters[total__gte]`, which sends one member of the object `filters`. */
const MEMBER_START = `${FILTERS_PARAMETER}[`;

export type ConditionKey = Exclude<QueryKey, { readonly kind: 'control' }>;

export function parseQueryKey(key: string): QueryKey {
  const control = CONTROLS.get(key);
  if (control !== undefined) return { kind: 'control', control };
  if (!key.endsWith(']') || key.length > KEY_LENGTH_MAX) return parseFilterKey(key);
  const member = key.startsWith(MEMBER_START) ? parseMember(key.slice(MEMBER_START.length, -1)) : null;
  if (member !== null) return member;
  return endsInBrackets(key)
    ? rejected('Brackets are not supported here.', hintBrackets(key))
    : parseFilterKey(key);
}

/**
 * Parses the text in the brackets of `filters[total__gte]`. It always names a column, never a control.
 * Returns null for notations of other data APIs, such as `filters[title][$eq]`.
 */
function parseMember(inner: string): ConditionKey | null {
  const read = parseFilterKey(inner);
  return read.kind === 'refused' && (inner === '' || inner.includes('][')) ? null : read;
}

function endsInBrackets(key: string): boolean {
  return key.includes('[', key.lastIndexOf(']', key.length - 2) + 1);
}

/**
 * Returns a hint for `status[]` and for bracket notations of other data APIs, such as `filter[title][_eq]`,
 * `deep[comments][_limit]` and `fields[]`.
 */
function hintBrackets(key: string): string {
  const [name = '', first = '', second = ''] = key.split('[').map((part) => part.replace(/\]$/, ''));
  const inner = second.replace(/^[_$]/, '');
  if (name === 'filter' || name === 'filters')
    return (
      `Write a filter as ${first}${OPERATORS.has(inner) ? `__${inner}` : ''}=…, or as a tree in ` + '_filter.'
    );
  if (name === 'deep') return `Write options of an include as include[${first}][${inner}].`;
  const word = CONTROLS.get(name) ?? FOREIGN_WORDS.get(name);
  return word === undefined ? hintSeveral(name) : `Use ${word} instead, with names separated by commas.`;
}

/** Returns a hint about filtering one column by several values. `name` may already end with an operator. */
export function hintSeveral(name: string): string {
  const cutIndex = name.lastIndexOf('__');
  const operator = cutIndex > 0 ? OPERATORS.get(name.slice(cutIndex + 2)) : undefined;
  const column = operator === undefined ? name : name.slice(0, cutIndex);
  const isList = operator?.kind === 'served' && LIST_OPERATORS.has(operator.operator);
  return `Send several values as ${isList ? name : `${column}__in`}=a,b.`;
}

const LIST_OPERATORS: ReadonlySet<FilterOperator> = new Set(['in', 'not_in', 'between', 'not_between']);

function rejected(message: string, hint: string | null): ConditionKey {
  return { kind: 'refused', message, hint };
}

/** Parses a key inside `_filter`, where keys are always conditions and never controls. */
export function parseFilterKey(key: string): ConditionKey {
  if (key.length > KEY_LENGTH_MAX)
    return rejected(`A name can have at most ${KEY_LENGTH_MAX} characters.`, null);
  if (PLAIN_KEY.test(key)) return parsePlain(key, [{ name: key, isQuoted: false }]);
  const read = splitSegments(key);
  if (read === null)
    return rejected('This is not a valid column name.', 'Put names with special characters in backquotes.');
  const rest = key.slice(read.end);
  if (rest.startsWith('->'))
    return parseInside(
      read.segments.map((segment) => segment.name),
      rest.slice(2),
    );
  const last = read.segments.at(-1);
  if (last?.isQuoted === true) return parseQuoted(read.segments, rest);
  if (rest !== '')
    return rejected('This is not a valid column name.', 'Put names with special characters in backquotes.');
  return parsePlain(key, read.segments);
}

/** Parses the text after `->` in a key: member names, array indexes as digits, and an optional operator. */
function parseInside(path: readonly string[], text: string): ConditionKey {
  const read = splitSegments(text);
  if (read === null) return rejected('This is not a valid path inside JSON.', 'data->a.b__gte=5');
  const last = read.segments.at(-1);
  const rest = text.slice(read.end);
  if (rest !== '' && last?.isQuoted !== true)
    return rejected('This is not a valid path inside JSON.', 'data->a.b__gte=5');
  const inner =
    last?.isQuoted === true
      ? parseQuoted(read.segments, rest)
      : parsePlain(text, [{ name: '', isQuoted: true }, ...read.segments]);
  if (inner.kind !== 'filter') return inner;
  const names = last?.isQuoted === true ? inner.path : inner.path.slice(1);
  const jsonPath = toJsonPath(
    names.map((name, position) => ({ name, isQuoted: read.segments[position]?.isQuoted !== false })),
  );
  return { kind: 'filter', path, jsonPath, operator: inner.operator };
}

/** Parses the text after a name in backquotes. Only `__operator` may follow. */
function parseQuoted(segments: readonly PathSegment[], rest: string): ConditionKey {
  const path = segments.map((segment) => segment.name);
  if (rest === '') return { kind: 'filter', path, jsonPath: null, operator: 'eq' };
  const word = rest.startsWith('__') ? OPERATORS.get(rest.slice(2)) : undefined;
  if (word === undefined) return rejected(`"${rest}" is not an operator.`, null);
  return toOperator(path, word, rest.slice(2));
}

/** Splits the key at its last `__`. If the suffix is not an operator, it belongs to the name. */
function parsePlain(key: string, segments: readonly PathSegment[]): ConditionKey {
  const last = segments.at(-1)?.name ?? '';
  const before = segments.slice(0, -1).map((segment) => segment.name);
  const cutIndex = last.lastIndexOf('__');
  const word = cutIndex > 0 ? OPERATORS.get(last.slice(cutIndex + 2)) : undefined;
  if (word !== undefined)
    return toOperator([...before, last.slice(0, cutIndex)], word, last.slice(cutIndex + 2));
  if (segments.length === 1 && last.startsWith('_')) {
    return rejected(
      'Keys that start with "_" are reserved.',
      `To filter a column of this name, use ${key}__eq.`,
    );
  }
  return { kind: 'filter', path: [...before, last], jsonPath: null, operator: 'eq' };
}

function toOperator(
  path: readonly string[],
  word: NonNullable<ReturnType<typeof OPERATORS.get>>,
  text: string,
): ConditionKey {
  if (word.kind === 'reserved') return { kind: 'reserved', what: `The operator ${text}` };
  return { kind: 'filter', path, jsonPath: null, operator: word.operator };
}

import type { CompiledTable } from '@rowhouse/schema-model';
import type { QueryParameters } from '../../request/api-request.js';
import type { FaultList } from '../../request/fault-list.js';
import { readJsonPath, splitSegments } from '../../request/path-segments.js';
import type { ConditionBudget } from '../filter/condition-budget.js';
import { chargeCounts, findCounts, hintCount, toHint, type SortSource } from '../filter/find-counts.js';
import { findColumnPath, hintColumn, hintFor, visibleColumnNames } from '../find-names.js';
import { findOrderKey, findViewOrder, isSortable } from './order/order-key.js';
import { PATH_DEPTH_MAX } from '../filter/plan-named-condition.js';
import { splitNames } from './plan-select.js';
import type { IncludeNode, SortKey } from '../plan-parts.js';

/**
 * A sort parameter longer than this is not translated from other notations. No realistic sort parameter is
 * longer.
 */
const LENGTH_MAX = 300;

/**
 * Matches a sort direction after a name, as other APIs write it: `.desc.nullslast`, ` DESC NULLS LAST` or
 * `:desc_nulls_last`.
 */
const DIRECTED = /([.: ])(asc|desc)(?:ending)?(?:[._: ]nulls?[._ -]?(first|last))?$/i;

const NULLS_ALONE = /[._: ]nulls?[._ -]?(first|last)$/i;

/** Matches a sort direction or NULL position that has no column name before it. */
const NAMELESS = /^(?:asc|desc)(?:ending)?[._: ]nulls?[._ -]?(?:first|last)$|^nulls?[._ -]?(?:first|last)$/i;

const KEY = /^[-+]?[\w.:]+$/;
export const SORT_KEYS_MAX = 8;

export interface SortPlanning {
  readonly faults: FaultList;
  readonly budget: ConditionBudget;
  /**
   * Whether all records are read at once. A view then needs no default order, because the list has only one
   * page.
   */
  readonly isComplete: boolean;
}

/**
 * Returns the order of a list. The row key is always the last sort key, in the direction of the key before
 * it, so that one index can provide both.
 */
export function planSort(
  table: CompiledTable,
  parameters: QueryParameters,
  include: readonly IncludeNode[],
  { faults, budget, isComplete }: SortPlanning,
): readonly SortKey[] {
  const order = parameters.order === null ? 'ASC' : readOrder(parameters.order, faults);
  const keys: SortKey[] = [];
  if (parameters.sort !== null) {
    keys.push(...readSortKeys(table, parameters.sort, order, faults, { counts: findCounts(include) }));
  } else if (parameters.order !== null && findOrderKey(table) === null) {
    faults.add(['query', 'order'], `${table.name} has no key to sort by. Add sort.`, 'missing');
  } else if (table.kind === 'view' && parameters.order === null && !isComplete)
    keys.push(...findViewOrder(table));
  const direction = keys.at(-1)?.direction ?? order;
  for (const column of (isComplete ? table.rowKey : findOrderKey(table)) ?? []) {
    const key: SortKey = { path: [], column, direction, reversesNulls: false, count: null };
    if (!keys.some((known) => isSame(known, key))) keys.push(key);
  }
  if (include.length > 0) chargeCounts(keys, parameters.cursor !== null, budget);
  return keys;
}

/** The context in which sort keys are parsed. */
export interface SortContext {
  /** The query parameter that contains the sort keys. The default is `sort`. */
  readonly control?: string;
  /**
   * Whether the list is an aggregate, so that the sort keys are members of its groups. A JSON member can then
   * be sorted by its whole value.
   */
  readonly isOfGroups?: boolean;
  /** The included counts by their member names, which can be sort keys too. */
  readonly counts?: ReadonlyMap<string, SortSource>;
}

/** Parses sort keys such as `-created_at,user.name,bio:nulls_last`. */
export function readSortKeys(
  table: CompiledTable,
  text: string,
  order: 'ASC' | 'DESC',
  faults: FaultList,
  sortContext: SortContext = {},
): SortKey[] {
  const { control = 'sort' } = sortContext;
  const keys: SortKey[] = [];
  for (const part of splitNames(text)) {
    if (faults.isFull()) break;
    const key = readKey(table, part, order, faults, sortContext);
    if (key === null) continue;
    if (keys.some((known) => isSame(known, key)))
      faults.add(['query', control], `${part} appears twice.`, 'repeated');
    keys.push(key);
    if (keys.length <= SORT_KEYS_MAX) continue;
    // Stops here, because a body may contain hundreds of thousands of sort keys, and each is compared with
    // all previous ones.
    faults.add(['query', control], `A request can have at most ${SORT_KEYS_MAX} sort keys.`, 'too_many');
    break;
  }
  return keys;
}

export function readOrder(order: string | null, faults: FaultList): 'ASC' | 'DESC' {
  const lower = order?.toLowerCase() ?? 'asc';
  if (lower === 'desc') return 'DESC';
  if (lower !== 'asc')
    faults.add(['query', 'order'], 'The order must be asc or desc.', 'enum', translateSort(order ?? ''));
  return 'ASC';
}

function isSame(a: SortKey, b: SortKey): boolean {
  return (
    a.column === b.column &&
    a.jsonPath === b.jsonPath &&
    a.path.length === b.path.length &&
    a.path.every((step, index) => step === b.path[index])
  );
}

const NULLS = /:nulls_(first|last)$/i;

/**
 * Parses one sort key: `-created_at`, `user.name`, `created_at_desc` or `created_at:desc`, each with an
 * optional `:nulls_last` or `:nulls_first`. If a column has exactly the given name, a suffix such as `_desc`
 * is part of that name.
 */
function readKey(
  table: CompiledTable,
  part: string,
  order: 'ASC' | 'DESC',
  faults: FaultList,
  { control = 'sort', counts, isOfGroups = false }: SortContext,
): SortKey | null {
  // In a URL, a plus sign is decoded as a space.
  const sign = /^[-+ ]/.exec(part)?.[0] ?? '';
  const signed = sign === '-' ? 'DESC' : sign === '' ? null : 'ASC';
  // A column name that contains a colon must be in backquotes, so a plain colon starts a suffix.
  const nulls = NULLS.exec(part);
  const text = part.slice(sign.length, nulls?.index);
  const toKey = (found: SortSource, direction: 'ASC' | 'DESC'): SortKey | null =>
    checkSortable(
      { ...found, direction, reversesNulls: reversesNulls(table, found, direction, nulls?.[1]) },
      faults,
      control,
      isOfGroups,
    );
  const exact = resolve(table, text, faults, counts);
  if (exact.kind === 'found') return toKey(exact.found, signed ?? order);
  let reported = exact;
  const suffix = /[_:](asc|desc)$/i.exec(text);
  if (suffix !== null && signed === null) {
    const cut = resolve(table, text.slice(0, suffix.index), faults, counts);
    if (cut.kind === 'found') return toKey(cut.found, suffix[1]?.toLowerCase() === 'desc' ? 'DESC' : 'ASC');
    if (suffix[0].startsWith(':')) reported = cut;
  }
  const hint =
    hintCount(table, text) ?? hintForeign(part.slice(0, nulls?.index), nulls?.[0] ?? '') ?? reported.hint;
  faults.add(['query', control], reported.message, reported.type, hint);
  return null;
}

/**
 * Reports whether the statement must move NULLs away from the server's default position. For a column that is
 * never NULL, this is not necessary, so the index can provide the order.
 */
function reversesNulls(
  table: CompiledTable,
  { path, column, jsonPath }: SortSource,
  direction: 'ASC' | 'DESC',
  nulls: string | undefined,
): boolean {
  if (nulls === undefined || (nulls.toLowerCase() === 'last') === (direction === 'DESC')) return false;
  return column.nullable || jsonPath !== undefined || path.length > 0 || table.kind === 'view';
}

/**
 * Returns a hint for a sort key in the notation of another API, such as `title.desc`. `nulls` is the position
 * of NULLs as this API writes it.
 */
function hintForeign(part: string, nulls: string): string | null {
  const translated = translateSortKey(part);
  if (translated === null) return null;
  return (
    'Use ' +
    `${translated.text}${translated.saysNulls ? '' : nulls}.${translated.saysNulls || nulls !== '' ? '' : ' NULL sorts before all values, and after them in descending order. To change that, add :nulls_first or :nulls_last.'}`
  );
}

type Resolved =
  | { readonly kind: 'found'; readonly found: SortSource }
  | {
      readonly kind: 'refused';
      readonly message: string;
      readonly type: string;
      readonly hint: string | null;
    };

function resolve(
  table: CompiledTable,
  text: string,
  faults: FaultList,
  counts: SortContext['counts'],
): Resolved {
  const read = splitSegments(text);
  const inside = read !== null && text.startsWith('->', read.end) ? readJsonPath(text, read.end + 2) : null;
  if (read === null || (inside?.end ?? read.end) !== text.length)
    return rejected(
      `${JSON.stringify(text)} is not a column name.`,
      'unknown_column',
      hintFor(faults, text, () => visibleColumnNames(table)),
    );
  if (read.segments.length > PATH_DEPTH_MAX + 1)
    return rejected(`A sort key can follow at most ${PATH_DEPTH_MAX} relationships.`, 'too_deep', null);
  const names = read.segments.map((segment) => segment.name);
  const count = names.length === 1 && inside === null ? counts?.get(names[0] ?? '') : undefined;
  if (count !== undefined) return { kind: 'found', found: count };
  const found = findColumnPath(table, names, {
    faults,
    describeToMany: (step) => ({
      msg: `${step.name} is a to-many relationship. Lists can be sorted over to-one relationships only.`,
      type: 'not_to_one',
      hint: toHint(step.name),
    }),
    hintColumn: (name, source) => hintColumn(faults, name, source, source === table ? counts?.keys() : []),
  });
  if ('msg' in found) return rejected(found.msg, found.type, found.hint);
  const { path, column } = found;
  if (inside === null) return { kind: 'found', found: { path, column, count: null } };
  if (column.valueKind !== 'json')
    return rejected(`${column.name} is not a JSON column, so -> cannot be used.`, 'not_sortable', null);
  return { kind: 'found', found: { path, column, jsonPath: inside.path, count: null } };
}

function rejected(message: string, type: string, hint: string | null): Resolved {
  return { kind: 'refused', message, type, hint };
}

function checkSortable(
  key: SortKey,
  faults: FaultList,
  control: string,
  isOfGroups: boolean,
): SortKey | null {
  const isJson = key.column.valueKind === 'json';
  if (isJson ? isOfGroups === (key.jsonPath === undefined) : isSortable(key.column)) return key;
  const hint = !isJson
    ? null
    : isOfGroups
      ? `Sort by ${key.column.name}.`
      : `Sort by a value inside it: ${key.column.name}->member.`;
  faults.add(
    ['query', control],
    `Lists cannot be sorted by ${key.column.name}, because it is a ${key.column.valueKind} column.`,
    'not_sortable',
    hint,
  );
  return null;
}

/**
 * Translates a sort key from the notation of SQL or of another API. Returns null if the key has neither a
 * direction nor a NULL position, or already has this API's notation.
 */
function translateSortKey(part: string): { readonly text: string; readonly saysNulls: boolean } | null {
  if (part.length > LENGTH_MAX) return null;
  const unqualified = part.replace(/^[+ ]/, '');
  const directed = DIRECTED.exec(unqualified);
  if (directed !== null) {
    const [, mark, direction = '', nulls] = directed;
    const name = unqualified.slice(0, directed.index).replace(/^-/, '');
    if (name === '' || (mark === ':' && nulls === undefined)) return null;
    return {
      text: `${direction.toLowerCase() === 'desc' ? '-' : ''}${name}${toNulls(nulls)}`,
      saysNulls: nulls !== undefined,
    };
  }
  const alone = NULLS_ALONE.exec(unqualified);
  return alone === null || alone.index === 0
    ? null
    : { text: `${unqualified.slice(0, alone.index)}${toNulls(alone[1])}`, saysNulls: true };
}

/** Returns a hint for an `order` parameter that contains whole sort keys or a NULL position. */
function translateSort(order: string): string {
  if (NAMELESS.test(order))
    return 'Put the order of NULL into each sort key: sort=-created_at:nulls_first,id.';
  const parts = order.length > LENGTH_MAX ? [] : splitNames(order).map((part) => part.trim());
  const translated = parts.map((part) => translateSortKey(part)?.text ?? part);
  const isSort =
    parts.length > 0 &&
    translated.every((key) => KEY.test(key)) &&
    (parts.length > 1 || translated[0] !== parts[0] || /^-|[.:]/.test(order));
  return (
    'List the columns in sort, with - for descending order: ' +
    `sort=${isSort ? translated.join(',') : '-created_at,id'}.`
  );
}

function toNulls(nulls: string | undefined): string {
  return nulls === undefined ? '' : `:nulls_${nulls.toLowerCase()}`;
}

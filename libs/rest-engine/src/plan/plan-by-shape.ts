import {
  COMPARISON_OPERATORS,
  PATTERN_OPERATORS,
  TIME_OPERATORS,
  type CompiledColumn,
  type CompiledSnapshot,
  type CompiledTable,
  type FilterOperator,
  type QueryControl,
} from '@rowhouse/schema-model';
import type { ApiRequest, RawRequest, RequestAddress } from '../request/api-request.js';
import { decodePercent } from '../request/decode-percent.js';
import { fillChanges, fillRow } from './write/fill-records.js';
import { planCondition } from './filter/plan-condition.js';
import { readCursorPlan, type ListedBy } from './list/plan-cursor.js';
import { planKey } from './write/record-target.js';
import type { Condition } from './filter/condition.js';
import type { PlanOptions } from './plan-parts.js';
import type { CreatePlan, DeletePlan, ListPlan, Plan, ReadPlan, UpdatePlan } from './plan.js';

/** A request split into its shape and its values. */
interface SplitRequest {
  /**
   * The shape of the request. Requests with the same shape differ only in `rawKey`, `values`, `cursor` and
   * the body.
   */
  readonly shape: string;
  /** The segment `{id}` before decoding. Null for a list or a create. */
  readonly rawKey: string | null;
  /** The values of the filters in order, before decoding. */
  readonly values: readonly string[];
  /** The cursor as the client sent it. Null if the list has none. */
  readonly cursor: string | null;
}

const SHAPE_CHARACTERS_MAX = 400;

/**
 * Matches the path of a table, with an optional key, without escapes and commas. Reserved segments do not
 * match, because they begin with another character.
 */
const PLAIN_PATH = /^\/([A-Za-z0-9][\w-]*)(?:\/([\w-]+))?$/;

/**
 * How each query parameter affects the shape of a request. `literal`: the shape contains the parameter with
 * its value, because only few different values are used. `cursor`: the value is not part of the shape.
 * `parsed`: a request with this parameter has no shape. A new parameter must be added here, and `parsed` is
 * always correct.
 */
const SHAPE_PARTS: Readonly<Record<QueryControl, 'literal' | 'cursor' | 'parsed'>> = {
  limit: 'literal',
  sort: 'literal',
  order: 'literal',
  include: 'literal',
  _select: 'literal',
  _omit: 'literal',
  _count: 'literal',
  _cursor: 'cursor',
  page: 'parsed',
  created_after: 'parsed',
  where: 'parsed',
  _offset: 'parsed',
  _filter: 'parsed',
  _q: 'parsed',
  _distinct: 'parsed',
  _aggregate: 'parsed',
  _group: 'parsed',
  _having: 'parsed',
  _on_conflict: 'parsed',
  _explain: 'parsed',
};
const PART_BY_KEY: ReadonlyMap<string, 'literal' | 'cursor' | 'parsed'> = new Map(
  Object.entries(SHAPE_PARTS),
);

/** Matches the characters of cursors. */
const PLAIN_CURSOR = /^[\w.-]*$/;

const PLAIN_ACCEPTS: ReadonlySet<unknown> = new Set([undefined, '*/*', 'application/json']);

/** The values in a query string, which are not part of its shape. */
interface QueryValues {
  readonly values: string[];
  cursor: string | null;
}

const NO_VALUES: readonly string[] = Object.freeze([]);

/** The plan options that may affect the plan of a shape. */
export type ShapeOptions = Pick<
  PlanOptions,
  'requireLimit' | 'regexEnabled' | 'requireIfMatch' | 'makeUuid' | 'sealText'
>;

/** The plans that are cached by their shape. */
export type ShapedPlan = ListPlan | ReadPlan | CreatePlan | UpdatePlan | DeletePlan;

/** A plan without its values, which all requests with the same shape share. */
type Template =
  | {
      readonly kind: 'list';
      readonly plan: ListPlan;
      readonly slots: readonly Slot[];
      readonly paging: CursorPaging | null;
    }
  | { readonly kind: 'read'; readonly plan: ReadPlan }
  | { readonly kind: 'write'; readonly plan: CreatePlan | UpdatePlan | DeletePlan };

/** A filter in a template: its column and operator. The value is inserted later. */
interface Slot {
  readonly column: CompiledColumn;
  readonly operator: FilterOperator;
}

/** The data needed to read a cursor and to plan a page, in addition to the list's plan. */
interface CursorPaging {
  /** The parameters for which a cursor must have been created. */
  readonly parameters: ListedBy;
  /** The `shape` of plans for previous pages. Their statements differ from those for next pages. */
  readonly previousShape: object;
}

/** The maximum number of cached shapes for one schema snapshot and one set of rights. */
export const SHAPES_MAX = 128;
/**
 * The maximum number of filters in a template. A statement with this number of filters cannot bind too many
 * values.
 */
const SLOTS_MAX = 32;
/**
 * The operators whose condition depends only on one column and one value. A request with another operator has
 * no shape.
 */
const SLOT_OPERATORS: ReadonlySet<FilterOperator> = new Set([
  ...COMPARISON_OPERATORS,
  'between',
  'not_between',
  'isnull',
  ...PATTERN_OPERATORS,
  ...TIME_OPERATORS,
]);

/**
 * The templates by shape, for each compiled snapshot, which includes the rights of an API key. A template is
 * therefore never used with other rights or after a deploy, and is freed with its snapshot.
 */
const templatesBySnapshot = new WeakMap<CompiledSnapshot, Map<string, Template>>();

/**
 * Plans a request whose shape is cached, without parsing the request (ADR 0076). Its values are converted by
 * the same functions as in `planRequest`. Returns null for an unknown shape, and for an invalid value, which
 * `planRequest` then reports.
 */
export function planByShape(
  raw: RawRequest,
  compiled: CompiledSnapshot,
  prefix: string,
  options: ShapeOptions,
): ShapedPlan | null {
  const templates = templatesBySnapshot.get(compiled);
  const split = templates === undefined ? null : (splitRead(raw) ?? splitWrite(raw));
  if (templates === undefined || split === null) return null;
  const name = nameTemplate(split, options);
  const template = templates.get(name);
  if (template === undefined) return null;
  // Templates are only sorted by last use when the cache is more than half full, because this takes time.
  if (templates.size > SHAPES_MAX / 2) {
    templates.delete(name);
    templates.set(name, template);
  }
  const address = { prefix, rawPath: raw.rawPath, rawQuery: raw.rawQuery };
  return template.kind === 'write'
    ? fillWrite(template.plan, split, raw.body, address, options)
    : fillRead(template, split, address, options);
}

/** Caches the plan of a parsed request, without its values, for all requests of the same shape. */
export function cacheShape(
  raw: RawRequest,
  request: ApiRequest,
  plan: Plan,
  compiled: CompiledSnapshot,
  options: ShapeOptions,
): void {
  const template = toTemplate(request, plan);
  const split = template === null ? null : template.kind === 'write' ? splitWrite(raw) : splitRead(raw);
  if (template === null || split === null || !isSameSplit(split, request)) return;
  let templates = templatesBySnapshot.get(compiled);
  if (templates === undefined) templatesBySnapshot.set(compiled, (templates = new Map()));
  const [oldest] = templates.keys();
  if (oldest !== undefined && templates.size >= SHAPES_MAX) templates.delete(oldest);
  templates.set(nameTemplate(split, options), template);
}

function nameTemplate({ shape }: SplitRequest, { requireLimit, regexEnabled }: ShapeOptions): string {
  return `${requireLimit ? 1 : 0}${regexEnabled ? 1 : 0}${shape}`;
}

/** Returns a plan without its values. Returns null if plans of this kind are not cached. */
function toTemplate(request: ApiRequest, plan: Plan): Template | null {
  if (plan.kind === 'create')
    return plan.isBulk || plan.claims !== undefined || plan.hasZeroDate === true
      ? null
      : { kind: 'write', plan: { ...plan, rows: [] } };
  if (plan.kind === 'update' || plan.kind === 'delete') {
    if (plan.conditions !== null || !('key' in request) || request.key.length !== 1) return null;
    if (plan.hasZeroDate === true || (plan.kind === 'update' && plan.claims !== undefined)) return null;
    return {
      kind: 'write',
      plan: plan.kind === 'update' ? { ...plan, key: [], changes: [] } : { ...plan, key: [] },
    };
  }
  if (plan.kind === 'read' && request.kind === 'read' && request.key.length === 1)
    return { kind: 'read', plan: { ...plan, shape: {} } };
  if (plan.kind !== 'list' || request.kind !== 'list' || plan.format !== 'json') return null;
  const { filters } = request.parameters;
  const paging = plan.cursor === null ? null : { parameters: request.parameters, previousShape: {} };
  const slots = filters.map(({ path, jsonPath, operator }) =>
    path.length === 1 && jsonPath === null && SLOT_OPERATORS.has(operator)
      ? toSlot(plan.table, path[0] ?? '', operator)
      : null,
  );
  if (slots.length > SLOTS_MAX || slots.length !== plan.where.length || slots.some((slot) => slot === null))
    return null;
  return { kind: 'list', plan: { ...plan, shape: {} }, slots: slots.filter((slot) => slot !== null), paging };
}

function toSlot(table: CompiledTable, name: string, operator: FilterOperator): Slot | null {
  const column = table.findColumn(name);
  return column === null ? null : { column, operator };
}

/** Reports whether the split found the same key and the same number of filters as the parser. */
function isSameSplit({ rawKey, values }: SplitRequest, request: ApiRequest): boolean {
  if ('key' in request) return rawKey !== null;
  if (request.kind === 'create') return rawKey === null;
  const { filters } = request.parameters;
  return rawKey === null && filters.length === values.length;
}

/**
 * Inserts the values into the template of a read. The plan is not frozen, because freezing would cost as much
 * as the rest of this function.
 */
function fillRead(
  template: Exclude<Template, { kind: 'write' }>,
  split: SplitRequest,
  address: RequestAddress,
  options: ShapeOptions,
): ListPlan | ReadPlan | null {
  const { plan } = template;
  if (template.kind === 'read')
    return {
      ...template.plan,
      address,
      key: planKey(plan.table, [decodePercent(split.rawKey ?? '', false)]),
    };
  const where: Condition[] = [];
  for (let index = 0; index < template.slots.length; index += 1) {
    const { column, operator } = template.slots[index] as Slot;
    const planned = planCondition(column, operator, decodePercent(split.values[index] ?? '', true));
    if (planned.kind === 'refused') return null;
    where.push(planned.condition);
  }
  return template.paging === null
    ? { ...template.plan, address, where }
    : fillPage(template.plan, template.paging, split, { address, where }, options);
}

/** Inserts the cursor into the plan of a list. Returns null if the cursor was created for another list. */
function fillPage(
  plan: ListPlan,
  { parameters, previousShape }: CursorPaging,
  split: SplitRequest,
  filled: Pick<ListPlan, 'address' | 'where'>,
  options: ShapeOptions,
): ListPlan | null {
  const filters =
    split.values.length === 0
      ? parameters.filters
      : parameters.filters.map(({ key }, index) => ({
          key,
          value: decodePercent(split.values[index] ?? '', true),
        }));
  const cursor = readCursorPlan(
    plan.table,
    filters === parameters.filters ? parameters : { ...parameters, filters },
    plan.sort,
    split.cursor ?? '',
    options,
  );
  if (cursor === null) return null;
  return { ...plan, ...filled, cursor, ...(cursor.direction === 'prev' ? { shape: previousShape } : {}) };
}

/** Inserts the key and the body into the template of a write. Returns null if a value is invalid. */
function fillWrite(
  plan: CreatePlan | UpdatePlan | DeletePlan,
  { rawKey }: SplitRequest,
  body: RawRequest['body'],
  address: RequestAddress,
  options: ShapeOptions,
): ShapedPlan | null {
  if (plan.kind === 'create') {
    const row = fillRow(plan.table, body, options);
    return row === null ? null : { ...plan, address, rows: [row] };
  }
  // The setting `requireIfMatch` is checked for each request, because templates remain cached when settings
  // change.
  if (options.requireIfMatch?.includes(plan.table.name) === true) return null;
  const changes = plan.kind === 'update' ? fillChanges(plan.table, body) : null;
  if (plan.kind === 'update' && changes === null) return null;
  const key = planKey(plan.table, [decodePercent(rawKey ?? '', false)]);
  return plan.kind === 'delete'
    ? { ...plan, address, key }
    : { ...plan, address, key, changes: changes ?? [] };
}

/** Splits a read into its shape and values. Returns null for special headers, paths or parameters. */
export function splitRead({ method, rawPath, rawQuery, headers }: RawRequest): SplitRequest | null {
  if (
    (method !== 'GET' && method !== 'HEAD') ||
    headers['prefer'] !== undefined ||
    !PLAIN_ACCEPTS.has(headers['accept'])
  )
    return null;
  const path = PLAIN_PATH.exec(rawPath);
  if (path === null) return null;
  const rawKey = path[2] ?? null;
  const found: QueryValues = { values: [], cursor: null };
  const shape = splitQuery(`${rawKey === null ? 'l' : 'r'}/${path[1] ?? ''}?`, rawQuery, found);
  return shape === null || (rawKey !== null && (found.values.length > 0 || found.cursor !== null))
    ? null
    : { shape, rawKey, values: found.values, cursor: found.cursor };
}

/**
 * Splits a create, update or delete of one record into shape and values. Returns null for requests with
 * parameters, preferences or conditions.
 */
function splitWrite({ method, rawPath, rawQuery, headers }: RawRequest): SplitRequest | null {
  if (
    rawQuery !== '' ||
    headers['prefer'] !== undefined ||
    headers['if-match'] !== undefined ||
    headers['if-none-match'] !== undefined ||
    headers['idempotency-key'] !== undefined ||
    !PLAIN_ACCEPTS.has(headers['accept'])
  )
    return null;
  const path = PLAIN_PATH.exec(rawPath);
  const rawKey = path?.[2] ?? null;
  const mark =
    rawKey === null
      ? method === 'POST'
        ? 'c'
        : null
      : method === 'PUT' || method === 'PATCH'
        ? 'u'
        : method === 'DELETE'
          ? 'd'
          : null;
  return path === null || mark === null
    ? null
    : { shape: `${mark}/${path[1] ?? ''}`, rawKey, values: NO_VALUES, cursor: null };
}

/**
 * Returns the shape of a query string, which begins with `head`, and adds the query's values to `found`.
 * Returns null if a parameter has no shape.
 */
function splitQuery(head: string, rawQuery: string, found: QueryValues): string | null {
  let shape = head;
  for (let start = 0; start < rawQuery.length;) {
    const mark = rawQuery.indexOf('&', start);
    const end = mark < 0 ? rawQuery.length : mark;
    const cutIndex = rawQuery.indexOf('=', start);
    if (cutIndex < 0 || cutIndex > end) return null;
    const key = rawQuery.slice(start, cutIndex);
    const part = PART_BY_KEY.get(key);
    if (part === 'literal') shape += `${rawQuery.slice(start, end)}&`;
    else if (part === 'cursor') {
      const cursor = rawQuery.slice(cutIndex + 1, end);
      if (found.cursor !== null || !PLAIN_CURSOR.test(cursor)) return null;
      found.cursor = cursor;
      shape += '_cursor=&';
    } else if (part === 'parsed' || key.includes('%') || key.includes('[')) return null;
    else {
      shape += `${key}=&`;
      found.values.push(rawQuery.slice(cutIndex + 1, end));
    }
    if (shape.length > SHAPE_CHARACTERS_MAX) return null;
    start = end + 1;
  }
  return shape;
}

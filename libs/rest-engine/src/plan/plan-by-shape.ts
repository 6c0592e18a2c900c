import {
  COMPARISON_OPERATORS,
  PATTERN_OPERATORS,
  TIME_OPERATORS,
  type CompiledColumn,
  type CompiledSnapshot,
  type CompiledTable,
  type FilterOperator,
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

import { CONTROLS } from '../request/parameter-words.js';

/**
 * The form of a request. Requests that only differ in `rawKey`, `values`, `cursor` and their bodies have the
 * same `name`.
 */
interface RequestShape {
  readonly name: string;
  /** The raw `{id}`, or null for a list or a create. */
  readonly rawKey: string | null;
  /** The values of the filters in order, as sent. */
  readonly values: readonly string[];
  /** The cursor as sent, or null for a list without one. */
  readonly cursor: string | null;
}

const NAME_CHARACTERS_MAX = 400;

/**
 * One or two segments of plain characters, without escapes, commas and reserved words, which begin with other
 * characters.
 */
const PLAIN_PATH = /^\/([A-Za-z0-9][\w-]*)(?:\/([\w-]+))?$/;

/**
 * Parameters that are part of the name with their values, because they determine what is read. In practice,
 * few different values recur.
 */
const LITERALS: ReadonlySet<string> = new Set([
  'limit',
  'sort',
  'order',
  'include',
  '_select',
  '_omit',
  '_count',
]);

/** The characters of cursors. */
const PLAIN_CURSOR = /^[\w.-]*$/;

const PLAIN_ACCEPTS: ReadonlySet<unknown> = new Set([undefined, '*/*', 'application/json']);

/** The values and the cursor, which are removed from the name. */
interface Taken {
  readonly values: string[];
  cursor: string | null;
}

const NO_VALUES: readonly string[] = Object.freeze([]);
/** The inputs of a plan besides the request, the snapshot and the rights. */
export type ShapeOptions = Pick<
  PlanOptions,
  'requireLimit' | 'regexEnabled' | 'requireIfMatch' | 'makeUuid' | 'sealText'
>;

/** The kinds of plans that are cached by their shape. */
export type ShapedPlan = ListPlan | ReadPlan | CreatePlan | UpdatePlan | DeletePlan;

/** A plan without its values. It is the same for every request of its shape. */
type Template =
  | {
      readonly kind: 'list';
      readonly plan: ListPlan;
      readonly slots: readonly Slot[];
      readonly going: CursorPaging | null;
    }
  | { readonly kind: 'read'; readonly plan: ReadPlan }
  | { readonly kind: 'write'; readonly plan: CreatePlan | UpdatePlan | DeletePlan };

/** The column and operator of one filter, whose value is inserted later. */
interface Slot {
  readonly column: CompiledColumn;
  readonly operator: FilterOperator;
}

/** The parameters of a list with a cursor. */
interface CursorPaging {
  readonly listed: ListedBy;
  /** The cache key of statements for previous pages, which differ from those for next pages. */
  readonly backward: object;
}

/** The maximum number of shapes cached for one snapshot and one set of rights. */
export const SHAPES_MAX = 128;
/** Filters within this limit bind fewer values than a statement accepts, whatever the values are. */
const SLOTS_MAX = 32;
/** Operators on one column whose condition depends only on its own text. */
const SLOT_OPERATORS: ReadonlySet<FilterOperator> = new Set([
  ...COMPARISON_OPERATORS,
  'between',
  'not_between',
  'isnull',
  ...PATTERN_OPERATORS,
  ...TIME_OPERATORS,
]);

/**
 * Templates by snapshot and rights, which are one object. A plan is never used with other rights or after a
 * deploy, and it is freed with its snapshot.
 */
const known = new WeakMap<CompiledSnapshot, Map<string, Template>>();

/**
 * Parses and plans a request whose shape occurred before. Only its values are read, by the same functions as
 * on the slow path. Returns null if the shape is new or has no template, or if a value is rejected. The slow
 * path then reports the fault.
 */
export function planByShape(
  raw: RawRequest,
  compiled: CompiledSnapshot,
  prefix: string,
  options: ShapeOptions,
): ShapedPlan | null {
  const templates = known.get(compiled);
  const shape = templates === undefined ? null : (readShape(raw) ?? readWriteShape(raw));
  if (templates === undefined || shape === null) return null;
  const name = nameShape(shape, options);
  const template = templates.get(name);
  if (template === undefined) return null;
  // The order of use is only tracked when the cache is half full, which saves this work otherwise.
  if (templates.size > SHAPES_MAX / 2) {
    templates.delete(name);
    templates.set(name, template);
  }
  const address = { prefix, rawPath: raw.rawPath, rawQuery: raw.rawQuery };
  return template.kind === 'write'
    ? fillWrite(template.plan, shape, raw.body, address, options)
    : fill(template, shape, address, options);
}

/** Caches a plan without its values, for all requests of its shape. */
export function cacheShape(
  raw: RawRequest,
  request: ApiRequest,
  plan: Plan,
  compiled: CompiledSnapshot,
  options: ShapeOptions,
): void {
  const template = toTemplate(request, plan);
  const shape = template === null ? null : template.kind === 'write' ? readWriteShape(raw) : readShape(raw);
  if (template === null || shape === null || !isSplitAlike(shape, request)) return;
  let templates = known.get(compiled);
  if (templates === undefined) known.set(compiled, (templates = new Map()));
  const [oldest] = templates.keys();
  if (oldest !== undefined && templates.size >= SHAPES_MAX) templates.delete(oldest);
  templates.set(nameShape(shape, options), template);
}

function nameShape({ name }: RequestShape, { requireLimit, regexEnabled }: ShapeOptions): string {
  return `${requireLimit ? 1 : 0}${regexEnabled ? 1 : 0}${name}`;
}

function toTemplate(request: ApiRequest, plan: Plan): Template | null {
  if (plan.kind === 'create')
    return plan.isBulk || plan.claims !== undefined || plan.hasOddDays === true
      ? null
      : { kind: 'write', plan: { ...plan, rows: [] } };
  if (plan.kind === 'update' || plan.kind === 'delete') {
    if (plan.conditions !== null || !('key' in request) || request.key.length !== 1) return null;
    if (plan.hasOddDays === true || (plan.kind === 'update' && plan.claims !== undefined)) return null;
    return {
      kind: 'write',
      plan: plan.kind === 'update' ? { ...plan, key: [], changes: [] } : { ...plan, key: [] },
    };
  }
  if (plan.kind === 'read' && request.kind === 'read' && request.key.length === 1)
    return { kind: 'read', plan: { ...plan, shape: {} } };
  if (plan.kind !== 'list' || request.kind !== 'list' || plan.format !== 'json') return null;
  const { filters } = request.parameters;
  const going = plan.cursor === null ? null : { listed: request.parameters, backward: {} };
  const slots = filters.map(({ path, jsonPath, operator }) =>
    path.length === 1 && jsonPath === null && SLOT_OPERATORS.has(operator)
      ? toSlot(plan.table, path[0] ?? '', operator)
      : null,
  );
  if (slots.length > SLOTS_MAX || slots.length !== plan.where.length || slots.some((slot) => slot === null))
    return null;
  return { kind: 'list', plan: { ...plan, shape: {} }, slots: slots.filter((slot) => slot !== null), going };
}

function toSlot(table: CompiledTable, name: string, operator: FilterOperator): Slot | null {
  const column = table.findColumn(name);
  return column === null ? null : { column, operator };
}

/** Reports whether the values split off are those with which the request was parsed. */
function isSplitAlike(shape: RequestShape, request: ApiRequest): boolean {
  if ('key' in request) return shape.rawKey !== null;
  if (request.kind === 'create') return shape.rawKey === null;
  const { filters } = request.parameters;
  return shape.rawKey === null && filters.length === shape.values.length;
}

/**
 * Inserts the values into a template. The plan is not frozen, because that would cost as much as all other
 * work here.
 */
function fill(
  template: Exclude<Template, { kind: 'write' }>,
  shape: RequestShape,
  address: RequestAddress,
  options: ShapeOptions,
): ListPlan | ReadPlan | null {
  const { plan } = template;
  if (template.kind === 'read')
    return {
      ...template.plan,
      address,
      key: planKey(plan.table, [decodePercent(shape.rawKey ?? '', false)]),
    };
  const where: Condition[] = [];
  for (let index = 0; index < template.slots.length; index += 1) {
    const { column, operator } = template.slots[index] as Slot;
    const planned = planCondition(column, operator, decodePercent(shape.values[index] ?? '', true));
    if (planned.kind === 'refused') return null;
    where.push(planned.condition);
  }
  return template.going === null
    ? { ...template.plan, address, where }
    : resume(template.plan, template.going, shape, { address, where }, options);
}

/** Returns null if the cursor does not belong to this list. */
function resume(
  plan: ListPlan,
  { listed, backward }: CursorPaging,
  { values, cursor: text }: RequestShape,
  own: Pick<ListPlan, 'address' | 'where'>,
  options: ShapeOptions,
): ListPlan | null {
  const filters =
    values.length === 0
      ? listed.filters
      : listed.filters.map(({ key }, index) => ({ key, value: decodePercent(values[index] ?? '', true) }));
  const cursor = readCursorPlan(
    plan.table,
    filters === listed.filters ? listed : { ...listed, filters },
    plan.sort,
    text ?? '',
    options,
  );
  if (cursor === null) return null;
  return { ...plan, ...own, cursor, ...(cursor.direction === 'prev' ? { shape: backward } : {}) };
}

function fillWrite(
  plan: CreatePlan | UpdatePlan | DeletePlan,
  { rawKey }: RequestShape,
  body: RawRequest['body'],
  address: RequestAddress,
  options: ShapeOptions,
): ShapedPlan | null {
  if (plan.kind === 'create') {
    const row = fillRow(plan.table, body, options);
    return row === null ? null : { ...plan, address, rows: [row] };
  }
  // Checked for each request, because this setting belongs to the database and not to the snapshot.
  if (options.requireIfMatch?.includes(plan.table.name) === true) return null;
  const changes = plan.kind === 'update' ? fillChanges(plan.table, body) : null;
  if (plan.kind === 'update' && changes === null) return null;
  const key = planKey(plan.table, [decodePercent(rawKey ?? '', false)]);
  return plan.kind === 'delete'
    ? { ...plan, address, key }
    : { ...plan, address, key, changes: changes ?? [] };
}

/**
 * Returns the shape of an ordinary read. Returns null for other requests, which must be parsed completely.
 */
export function readShape({ method, rawPath, rawQuery, headers }: RawRequest): RequestShape | null {
  if (
    (method !== 'GET' && method !== 'HEAD') ||
    headers['prefer'] !== undefined ||
    !PLAIN_ACCEPTS.has(headers['accept'])
  )
    return null;
  const path = PLAIN_PATH.exec(rawPath);
  if (path === null) return null;
  const rawKey = path[2] ?? null;
  const taken: Taken = { values: [], cursor: null };
  const name = nameQuery(`${rawKey === null ? 'l' : 'r'}/${path[1] ?? ''}?`, rawQuery, taken);
  return name === null || (rawKey !== null && (taken.values.length > 0 || taken.cursor !== null))
    ? null
    : { name, rawKey, values: taken.values, cursor: taken.cursor };
}

/**
 * Returns the shape of an ordinary create, update or delete of one record, without preferences or conditions.
 * Returns null for other requests.
 */
function readWriteShape({ method, rawPath, rawQuery, headers }: RawRequest): RequestShape | null {
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
    : { name: `${mark}/${path[1] ?? ''}`, rawKey, values: NO_VALUES, cursor: null };
}

function nameQuery(head: string, rawQuery: string, taken: Taken): string | null {
  let name = head;
  for (let start = 0; start < rawQuery.length;) {
    const mark = rawQuery.indexOf('&', start);
    const end = mark < 0 ? rawQuery.length : mark;
    const cutIndex = rawQuery.indexOf('=', start);
    if (cutIndex < 0 || cutIndex > end) return null;
    const key = rawQuery.slice(start, cutIndex);
    if (LITERALS.has(key)) name += `${rawQuery.slice(start, end)}&`;
    else if (key === '_cursor') {
      const cursor = rawQuery.slice(cutIndex + 1, end);
      if (taken.cursor !== null || !PLAIN_CURSOR.test(cursor)) return null;
      taken.cursor = cursor;
      name += '_cursor=&';
    } else if (CONTROLS.has(key) || key.includes('%') || key.includes('[')) return null;
    else {
      name += `${key}=&`;
      taken.values.push(rawQuery.slice(cutIndex + 1, end));
    }
    if (name.length > NAME_CHARACTERS_MAX) return null;
    start = end + 1;
  }
  return name;
}

import type { CompiledRelationship, CompiledTable } from '@rowhouse/schema-model';
import type { QueryParameters } from '../request/api-request.js';
import type { FaultList } from '../request/fault-list.js';
import { readJsonPath } from '../request/json-path.js';
import { splitSegments } from '../request/split-segments.js';
import type { ConditionBudget } from './condition-budget.js';
import { chargeCounts, findCounts, hintCount, toHint, type SortSource } from './find-counts.js';
import { hintColumn, hintFor, unknownRelationship, visibleColumnNames } from './find-names.js';
import { isSortable } from './is-sortable.js';
import { findOrderKey, findViewOrder } from './order/find-order-key.js';
import { PATH_DEPTH_MAX } from './plan-named-condition.js';
import { splitNames } from './plan-select.js';
import type { IncludeNode, SortKey } from './plan.js';
import { translateSort, translateSortKey } from './translate-sort.js';

export const SORT_KEYS_MAX = 8;

export interface SortPlanning {
  readonly faults: FaultList;
  readonly budget: ConditionBudget;
  /** All records are read at once: a view needs no order for its pages. */
  readonly isWhole: boolean;
}

/** The order of a list; the row key is always its last key, in the direction of the key before, so that one index serves both. */
export function planSort(table: CompiledTable, parameters: QueryParameters, include: readonly IncludeNode[], { faults, budget, isWhole }: SortPlanning): readonly SortKey[] {
  const order = readOrder(parameters.order, faults);
  const keys: SortKey[] = [];
  if (parameters.sort !== null) {
    keys.push(...readSortKeys(table, parameters.sort, order, faults, { counts: findCounts(include) }));
  } else if (parameters.order !== null && findOrderKey(table) === null) {
    faults.add(['query', 'order'], `${table.name} has no key to sort by: give sort.`, 'missing');
  } else if (parameters.order === null && !isWhole) keys.push(...findViewOrder(table));
  const direction = keys.at(-1)?.direction ?? order;
  for (const column of (isWhole ? table.rowKey : findOrderKey(table)) ?? []) {
    const key: SortKey = { path: [], column, direction, turnsNulls: false, count: null };
    if (!keys.some((known) => isSame(known, key))) keys.push(key);
  }
  if (include.length > 0) chargeCounts(keys, parameters.cursor !== null, budget);
  return keys;
}

/** What else sort keys are read by. */
export interface SortReading {
  /** The parameter that they stand in: `sort` unless said. */
  readonly control?: string;
  /** Keys are members of groups: of JSON ones, the value as a whole has an order. */
  readonly isOfGroups?: boolean;
  /** Counts among what is included, by their names. */
  readonly counts?: ReadonlyMap<string, SortSource>;
}

/** `-created_at,user.name,bio:nulls_last`. */
export function readSortKeys(table: CompiledTable, text: string, order: 'ASC' | 'DESC', faults: FaultList, reading: SortReading = {}): SortKey[] {
  const { control = 'sort' } = reading;
  const keys: SortKey[] = [];
  for (const part of splitNames(text)) {
    if (faults.isFull()) break;
    const key = readKey(table, part, order, faults, reading);
    if (key === null) continue;
    if (keys.some((known) => isSame(known, key))) faults.add(['query', control], `${part} is given twice.`, 'repeated');
    keys.push(key);
    if (keys.length <= SORT_KEYS_MAX) continue;
    // A body may hold some hundred thousand, each of which would be compared with all before it.
    faults.add(['query', control], `At most ${SORT_KEYS_MAX} sort keys are read.`, 'too_many');
    break;
  }
  return keys;
}

export function readOrder(order: string | null, faults: FaultList): 'ASC' | 'DESC' {
  const lower = order?.toLowerCase() ?? 'asc';
  if (lower === 'desc') return 'DESC';
  if (lower !== 'asc') faults.add(['query', 'order'], 'The order is asc or desc.', 'enum', translateSort(order ?? ''));
  return 'ASC';
}

function isSame(a: SortKey, b: SortKey): boolean {
  return a.column === b.column && a.jsonPath === b.jsonPath && a.path.length === b.path.length && a.path.every((step, at) => step === b.path[at]);
}

const NULLS = /:nulls_(first|last)$/i;

/** `-created_at`, `user.name`, `created_at_desc`, `created_at:desc`, each with `:nulls_last` or `:nulls_first`; an exact column name wins over `_desc`. */
function readKey(table: CompiledTable, part: string, order: 'ASC' | 'DESC', faults: FaultList, { control = 'sort', counts, isOfGroups = false }: SortReading): SortKey | null {
  // A plus sign arrives as a space.
  const sign = /^[-+ ]/.exec(part)?.[0] ?? '';
  const signed = sign === '-' ? 'DESC' : sign === '' ? null : 'ASC';
  // A colon stands in no name but between backquotes.
  const nulls = NULLS.exec(part);
  const text = part.slice(sign.length, nulls?.index);
  const toKey = (found: SortSource, direction: 'ASC' | 'DESC'): SortKey | null => checkSortable({ ...found, direction, turnsNulls: turnsNulls(table, found, direction, nulls?.[1]) }, faults, control, isOfGroups);
  const exact = resolve(table, text, faults, counts);
  if (exact.kind === 'found') return toKey(exact.found, signed ?? order);
  let told = exact;
  const suffix = /[_:](asc|desc)$/i.exec(text);
  if (suffix !== null && signed === null) {
    const cut = resolve(table, text.slice(0, suffix.index), faults, counts);
    if (cut.kind === 'found') return toKey(cut.found, suffix[1]?.toLowerCase() === 'desc' ? 'DESC' : 'ASC');
    if (suffix[0].startsWith(':')) told = cut;
  }
  const hint = hintCount(table, text) ?? hintForeign(part.slice(0, nulls?.index), nulls?.[0] ?? '') ?? told.hint;
  faults.add(['query', control], told.message, told.type, hint);
  return null;
}

/** Whether NULL is wanted where the engine does not put it. What is never NULL has the order of its index, whatever is said. */
function turnsNulls(table: CompiledTable, { path, column, jsonPath }: SortSource, direction: 'ASC' | 'DESC', nulls: string | undefined): boolean {
  if (nulls === undefined || (nulls.toLowerCase() === 'last') === (direction === 'DESC')) return false;
  return column.nullable || jsonPath !== undefined || path.length > 0 || table.kind === 'view';
}

/** `title.desc`, and where NULL stands, as others write it. `nulls`: what is said of it as here. */
function hintForeign(part: string, nulls: string): string | null {
  const translated = translateSortKey(part);
  if (translated === null) return null;
  return `Here that is ${translated.text}${translated.saysNulls ? '' : nulls}.${translated.saysNulls || nulls !== '' ? '' : ' NULL comes before all values, and downwards after them; :nulls_last and :nulls_first behind a key say otherwise.'}`;
}

type Resolved =
  | { readonly kind: 'found'; readonly found: SortSource }
  | { readonly kind: 'refused'; readonly message: string; readonly type: string; readonly hint: string | null };

function resolve(table: CompiledTable, text: string, faults: FaultList, counts: SortReading['counts']): Resolved {
  const read = splitSegments(text);
  const inside = read !== null && text.startsWith('->', read.end) ? readJsonPath(text, read.end + 2) : null;
  if (read === null || (inside?.end ?? read.end) !== text.length) return refused(`${JSON.stringify(text)} is no column name.`, 'unknown_column', hintFor(faults, text, () => visibleColumnNames(table)));
  if (read.segments.length > PATH_DEPTH_MAX + 1) return refused(`Sort keys go over at most ${PATH_DEPTH_MAX} relationships.`, 'too_deep', null);
  const names = read.segments.map((segment) => segment.name);
  const count = names.length === 1 && inside === null ? counts?.get(names[0] ?? '') : undefined;
  if (count !== undefined) return { kind: 'found', found: count };
  const path: CompiledRelationship[] = [];
  let near = table;
  for (const name of names.slice(0, -1)) {
    const step = near.findRelationship(name);
    if (step === null) {
      const { msg, type, hint } = unknownRelationship(faults, near, name);
      return refused(msg, type, hint);
    }
    if (step.kind !== 'to_one') return refused(`${step.name} leads to many records: lists are sorted over to-one relationships.`, 'not_to_one', toHint(step.name));
    path.push(step);
    near = step.far;
  }
  const last = names.at(-1) ?? '';
  const column = near.findColumn(last);
  if (column === null) return refused(`${near.name} has no column ${JSON.stringify(last)}.`, 'unknown_column', hintColumn(faults, last, near, near === table ? counts?.keys() : []));
  if (inside === null) return { kind: 'found', found: { path, column, count: null } };
  if (column.valueKind !== 'json') return refused(`${column.name} is no JSON column: nothing is inside it.`, 'not_sortable', null);
  return { kind: 'found', found: { path, column, jsonPath: inside.path, count: null } };
}

function refused(message: string, type: string, hint: string | null): Resolved {
  return { kind: 'refused', message, type, hint };
}

function checkSortable(key: SortKey, faults: FaultList, control: string, isOfGroups: boolean): SortKey | null {
  const isJson = key.column.valueKind === 'json';
  if (isJson ? isOfGroups === (key.jsonPath === undefined) : isSortable(key.column)) return key;
  const hint = !isJson ? null : isOfGroups ? `Name the member alone: ${key.column.name}.` : `Sort by what is inside it: ${key.column.name}->member.`;
  faults.add(['query', control], `${key.column.name} is ${key.column.valueKind}: lists are not sorted by it.`, 'not_sortable', hint);
  return null;
}

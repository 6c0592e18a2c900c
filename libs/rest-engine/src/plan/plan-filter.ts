import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { FilterParameter, QueryParameters } from '../request/api-request.js';
import type { FaultList } from '../request/fault-list.js';
import { FOREIGN_WORDS, SERVED_OPERATORS } from '../request/parameter-words.js';
import { hintNearest, visibleColumnNames } from './find-names.js';
import { planCondition } from './plan-condition.js';
import { coerceDateTime, isDayKind } from './values/coerce-temporal.js';
import type { Condition } from './plan.js';

export const COMPARISONS_MAX = 200;

/** The filters of a list, all of them ANDed. */
export function planFilters(table: CompiledTable, parameters: QueryParameters, faults: FaultList): readonly Condition[] {
  const conditions: Condition[] = [];
  if (parameters.filters.length > COMPARISONS_MAX) faults.add(['query'], `At most ${COMPARISONS_MAX} comparisons are read.`, 'too_many');
  for (const filter of parameters.filters) {
    if (faults.isFull()) break;
    const condition = planFilter(table, filter, faults);
    if (condition !== null) conditions.push(condition);
  }
  const after = planCreatedAfter(table, parameters.createdAfter, faults);
  return after === null ? conditions : [...conditions, after];
}

function planFilter(table: CompiledTable, filter: FilterParameter, faults: FaultList): Condition | null {
  const loc = ['query', filter.key];
  if (filter.path.length > 1) {
    faults.add(loc, 'Filtering over a relationship is not served yet.', 'not_served');
    return null;
  }
  const name = filter.path[0] ?? '';
  const column = table.findColumn(name);
  if (column === null) {
    addUnknown(table, name, filter, faults);
    return null;
  }
  const planned = planCondition(column, filter.operator, filter.value);
  if (planned.kind === 'condition') return planned.condition;
  faults.add(loc, planned.msg, planned.type, planned.hint ?? hintForeignValue(column, filter));
  return null;
}

function addUnknown(table: CompiledTable, name: string, filter: FilterParameter, faults: FaultList): void {
  const near = hintNearest(name, visibleColumnNames(table));
  const own = FOREIGN_WORDS.get(name.toLowerCase());
  const cut = name.lastIndexOf('__');
  const base = cut > 0 ? name.slice(0, cut) : '';
  if (base !== '' && table.findColumn(base) !== null) {
    const operators = hintNearest(name.slice(cut + 2), SERVED_OPERATORS) ?? `Operators are ${SERVED_OPERATORS.join(', ')}.`;
    return faults.add(['query', filter.key], `"${name.slice(cut + 2)}" is no operator.`, 'unknown_operator', operators);
  }
  const hint = near ?? (own === undefined ? null : `Here that is ${own}.`);
  return faults.add(['query', filter.key], `${table.name} has no column ${JSON.stringify(name)}.`, 'unknown_parameter', hint);
}

/** `age=gte.18`, as PostgREST has it. */
function hintForeignValue(column: CompiledColumn, filter: FilterParameter): string | null {
  const foreign = /^(eq|neq|gt|gte|lt|lte|like|ilike|in|is)\./.exec(filter.value)?.[1];
  if (foreign === undefined || filter.operator !== 'eq') return null;
  const operator = foreign === 'neq' ? 'ne' : foreign === 'is' ? 'isnull' : foreign;
  return `Operators stand at the name: ${column.name}__${operator}=…`;
}

/** `created_after`: later than that instant; a date is its start in UTC. */
function planCreatedAfter(table: CompiledTable, text: string | null, faults: FaultList): Condition | null {
  if (text === null) return null;
  const column = ['created_at', 'date_created'].map((name) => table.findColumn(name)).find((found) => found !== null && isDayKind(found));
  if (column === null || column === undefined) {
    faults.add(['query', 'created_after'], `${table.name} has no date column created_at.`, 'unknown_parameter', 'Compare another column with {column}__after.');
    return null;
  }
  const moment = coerceDateTime(text);
  if (moment.kind === 'value') return { kind: 'compare', column, operator: '>', value: moment.value };
  faults.add(['query', 'created_after'], moment.msg, moment.type, 'Dates are ISO 8601: 2026-01-31 or 2026-01-31T12:00:00Z.');
  return null;
}

import { nearestNames } from '@rowhouse/errors';
import type { CompiledColumn, CompiledTable, ValueKind } from '@rowhouse/schema-model';
import type { FaultList } from '../../request/fault-list.js';
import type { AggregateFunction, DatePart, Output, OutputSource, OutputTerm } from './aggregate-plan.js';
import { resolveSource } from './resolve-source.js';
import {
  FUNCTIONS,
  PARTS,
  splitAggregates,
  splitGroups,
  type AggregateTerm,
  type GroupTerm,
} from './split-terms.js';
import { PLAIN_COLUMN } from '../list/plan-select.js';

const SUMMABLE: ReadonlySet<ValueKind> = new Set(['integer', 'decimal', 'float', 'double', 'boolean', 'bit']);

/** The kinds of values that have no meaningful order. */
const UNORDERED: ReadonlySet<ValueKind> = new Set([
  'boolean',
  'enum',
  'set',
  'json',
  'geometry',
  'vector',
  'binary',
]);

const UNGROUPABLE: ReadonlySet<ValueKind> = new Set(['json', 'geometry', 'vector']);

const MOMENTS: ReadonlySet<ValueKind> = new Set(['datetime', 'timestamp']);

const EXACT: ReadonlySet<ValueKind> = new Set(['integer', 'decimal', 'bit']);

export const GROUP_KEYS_MAX = 8;
export const AGGREGATES_MAX = 20;

/** Plans `_group`, the list of values by which records are grouped. */
export function planGroups(table: CompiledTable, text: string, faults: FaultList): Output[] {
  const terms = splitGroups(text);
  if (terms.length > GROUP_KEYS_MAX)
    faults.add(['query', '_group'], `A request can have at most ${GROUP_KEYS_MAX} group keys.`, 'too_many');
  return terms
    .slice(0, GROUP_KEYS_MAX)
    .map((term) => (term === null ? addUnreadable('_group', faults) : planGroup(table, term, faults)))
    .filter((output) => output !== null);
}

/** Plans `_aggregate`, the list of values that are computed for each group. */
export function planAggregates(table: CompiledTable, text: string, faults: FaultList): Output[] {
  const terms = splitAggregates(text);
  if (terms.length > AGGREGATES_MAX)
    faults.add(
      ['query', '_aggregate'],
      `A request can have at most ${AGGREGATES_MAX} aggregates.`,
      'too_many',
    );
  return terms
    .slice(0, AGGREGATES_MAX)
    .map((term) => (term === null ? addUnreadable('_aggregate', faults) : planAggregate(table, term, faults)))
    .filter((output) => output !== null);
}

function addUnreadable(control: '_group' | '_aggregate', faults: FaultList): null {
  const form =
    control === '_group'
      ? '{column} or {column}:{part}, with an optional {name}: before it'
      : 'count or {function}:{column}, with an optional {name}: before it';
  faults.add(
    ['query', control],
    `Each item is ${form}.`,
    'aggregate_parsing',
    control === '_group' ? '_group=status,created_at:month' : '_aggregate=count,total:sum:amount',
  );
  return null;
}

function planGroup(table: CompiledTable, term: GroupTerm, faults: FaultList): Output | null {
  const loc = ['query', '_group'];
  const resolved = resolveSource(table, term.path, term.inside, faults);
  if (resolved.kind === 'refused') {
    faults.add(loc, resolved.msg, resolved.type, resolved.hint);
    return null;
  }
  const { source } = resolved;
  const kind = groupKind(source, term.part);
  if (kind !== null)
    return makeOutput(
      term.alias ?? joinNames([...term.path, ...(term.inside?.names ?? []), term.part]),
      kind,
      { kind: 'group', source, part: term.part },
    );
  const reason = term.part === null ? 'cannot be used in _group' : `has no ${term.part}`;
  faults.add(
    loc,
    `${source.column.name} is a ${source.column.valueKind} column and ${reason}.`,
    'not_groupable',
    term.part === null
      ? hintInside(source.column)
      : `The parts of date columns are ${PARTS.join(', ')}. The part hour needs a column with a time.`,
  );
  return null;
}

function planAggregate(table: CompiledTable, term: AggregateTerm, faults: FaultList): Output | null {
  const loc = ['query', '_aggregate'];
  const name = FUNCTIONS.find((known) => known === term.function);
  if (name === undefined) return addUnknownFunction(table, term, faults);
  if (term.path === null) {
    if (name === 'count') return makeOutput(term.alias ?? 'count', 'integer', { kind: 'count_records' });
    faults.add(loc, `${name} needs a column: ${name}:{column}.`, 'missing');
    return null;
  }
  const resolved = resolveSource(table, term.path, term.inside, faults);
  if (resolved.kind === 'refused') {
    faults.add(loc, resolved.msg, resolved.type, resolved.hint);
    return null;
  }
  const { source } = resolved;
  const kind = aggregateKind(name, source);
  if (kind !== null)
    return makeOutput(term.alias ?? joinNames([name, ...term.path, ...(term.inside?.names ?? [])]), kind, {
      kind: 'aggregate',
      function: name,
      source,
    });
  faults.add(
    loc,
    `${name} cannot be applied to ${source.column.name}, which is a ${source.column.valueKind} column.`,
    'not_computable',
    hintInside(source.column),
  );
  return null;
}

function hintInside({ name, valueKind }: CompiledColumn): string | null {
  return valueKind === 'json' ? `Use a value inside it: ${name}->member.` : null;
}

/**
 * Adds a fault for an unknown aggregate function. The hint covers misspellings, and items in the wrong order
 * such as `amount:sum`.
 */
function addUnknownFunction(table: CompiledTable, term: AggregateTerm, faults: FaultList): null {
  const similarNames = nearestNames(term.function, FUNCTIONS);
  const isTurned = term.alias !== null && FUNCTIONS.includes(term.alias as AggregateFunction);
  const isColumn = table.findColumn(term.function) !== null;
  const hint =
    isTurned || isColumn
      ? `To aggregate a column, write sum:${term.function}.`
      : similarNames.length > 0
        ? `Did you mean ${similarNames.join(' or ')}?`
        : `The functions are ${FUNCTIONS.join(', ')}.`;
  faults.add(
    ['query', '_aggregate'],
    `Unknown function ${JSON.stringify(term.function)}.`,
    'unknown_function',
    hint,
  );
  return null;
}

function joinNames(names: readonly (string | null)[]): string {
  return names.filter((name) => name !== null).join('_');
}

/** Creates an output, which is one member of the response's rows. */
function makeOutput(name: string, kind: ValueKind, term: OutputTerm): Output {
  const source = term.kind === 'count_records' ? null : term.source;
  const isOwn = source !== null && kind === source.column.valueKind;
  return {
    name,
    kind,
    term,
    fraction: (isOwn ? source.column.fraction : null) ?? 0,
    column: makeColumn(name, kind, isOwn ? source : null),
  };
}

/**
 * Returns the column that represents an output in conditions. All exact numbers are compared as DECIMAL,
 * because the server would compare a count with a text as doubles.
 */
function makeColumn(name: string, kind: ValueKind, source: OutputSource | null): CompiledColumn {
  const own: CompiledColumn = { ...(source?.column ?? PLAIN_COLUMN), name, quoted: name, valueKind: kind };
  return EXACT.has(kind)
    ? { ...own, type: 'decimal', valueKind: 'decimal', precision: 65, scale: 0, unsigned: false }
    : own;
}

/**
 * Returns the kind of an aggregate's values, which depends only on the function and the column. Returns null
 * if the function does not support the column.
 */
function aggregateKind(name: AggregateFunction, { column, jsonPath }: OutputSource): ValueKind | null {
  if (jsonPath !== undefined) return name === 'count' || name === 'count_distinct' ? 'integer' : 'decimal';
  const kind = column.valueKind;
  switch (name) {
    case 'count':
      return 'integer';
    case 'count_distinct':
      return UNGROUPABLE.has(kind) ? null : 'integer';
    case 'sum':
    case 'avg':
      return SUMMABLE.has(kind) ? (kind === 'float' || kind === 'double' ? 'double' : 'decimal') : null;
    case 'min':
    case 'max':
      return UNORDERED.has(kind) ? null : kind === 'bit' ? 'integer' : kind;
  }
}

/** Returns the kind of a group's values. Returns null if records cannot be grouped by this value. */
function groupKind({ column, jsonPath }: OutputSource, part: DatePart | null): ValueKind | null {
  if (jsonPath !== undefined) return part === null ? 'json' : null;
  const kind = column.valueKind;
  if (part === null) return UNGROUPABLE.has(kind) ? null : kind;
  if (part === 'hour' ? !MOMENTS.has(kind) : !MOMENTS.has(kind) && kind !== 'date') return null;
  return part === 'year' ? 'integer' : 'string';
}

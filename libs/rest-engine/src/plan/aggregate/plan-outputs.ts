import { nearestNames } from '@rowhouse/errors';
import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { FaultList } from '../../request/fault-list.js';
import type { AggregateFunction, Output } from './aggregate-plan.js';
import { makeOutput } from './make-output.js';
import { aggregateKind, groupKind } from './output-kind.js';
import { resolveSource } from './resolve-source.js';
import {
  FUNCTIONS,
  PARTS,
  splitAggregates,
  splitGroups,
  type AggregateTerm,
  type GroupTerm,
} from './split-terms.js';

export const GROUP_KEYS_MAX = 8;
export const AGGREGATES_MAX = 20;

/** Plans `_group`, which lists the values that records are grouped by. */
export function planGroups(table: CompiledTable, text: string, faults: FaultList): Output[] {
  const terms = splitGroups(text);
  if (terms.length > GROUP_KEYS_MAX)
    faults.add(['query', '_group'], `At most ${GROUP_KEYS_MAX} group keys are read.`, 'too_many');
  return terms
    .slice(0, GROUP_KEYS_MAX)
    .map((term) => (term === null ? addUnreadable('_group', faults) : planGroup(table, term, faults)))
    .filter((output) => output !== null);
}

/** Plans `_aggregate`, which lists the values computed for each group. */
export function planAggregates(table: CompiledTable, text: string, faults: FaultList): Output[] {
  const terms = splitAggregates(text);
  if (terms.length > AGGREGATES_MAX)
    faults.add(['query', '_aggregate'], `At most ${AGGREGATES_MAX} aggregates are read.`, 'too_many');
  return terms
    .slice(0, AGGREGATES_MAX)
    .map((term) => (term === null ? addUnreadable('_aggregate', faults) : planAggregate(table, term, faults)))
    .filter((output) => output !== null);
}

function addUnreadable(control: '_group' | '_aggregate', faults: FaultList): null {
  const form =
    control === '_group'
      ? '{column} or {column}:{part}, with {name}: in front to call it otherwise'
      : 'count or {function}:{column}, with {name}: in front to call it otherwise';
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
  const reason = term.part === null ? 'records are not grouped by it' : `it has no ${term.part}`;
  faults.add(
    loc,
    `${source.column.name} is ${source.column.valueKind}: ${reason}.`,
    'not_groupable',
    term.part === null
      ? hintInside(source.column)
      : `Parts are ${PARTS.join(', ')}, of date columns; hour of those with a time.`,
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
    `${source.column.name} is ${source.column.valueKind}: ${name} has no meaning for it.`,
    'not_computable',
    hintInside(source.column),
  );
  return null;
}

function hintInside({ name, valueKind }: CompiledColumn): string | null {
  return valueKind === 'json' ? `Name what is inside it: ${name}->member.` : null;
}

/**
 * Adds a fault for an unknown function. The hint covers reversed items such as `amount:sum`, and
 * misspellings.
 */
function addUnknownFunction(table: CompiledTable, term: AggregateTerm, faults: FaultList): null {
  const similarNames = nearestNames(term.function, FUNCTIONS);
  const isTurned = term.alias !== null && FUNCTIONS.includes(term.alias as AggregateFunction);
  const isColumn = table.findColumn(term.function) !== null;
  const hint =
    isTurned || isColumn
      ? `Of a column: sum:${term.function}.`
      : similarNames.length > 0
        ? `Did you mean ${similarNames.join(' or ')}?`
        : `Functions are ${FUNCTIONS.join(', ')}.`;
  faults.add(
    ['query', '_aggregate'],
    `${JSON.stringify(term.function)} is no function.`,
    'unknown_function',
    hint,
  );
  return null;
}

function joinNames(names: readonly (string | null)[]): string {
  return names.filter((name) => name !== null).join('_');
}

import type { CompiledTable } from '@rowhouse/schema-model';
import type { FaultList } from '../../request/fault-list.js';
import { findColumnPath, hintFor, visibleColumnNames } from '../find-names.js';
import { PATH_DEPTH_MAX } from '../filter/plan-named-condition.js';
import type { OutputSource } from './aggregate-plan.js';
import type { InsideJson } from './split-terms.js';

export type ResolvedSource =
  | { readonly kind: 'found'; readonly source: OutputSource }
  | { readonly kind: 'refused'; readonly msg: string; readonly type: string; readonly hint: string | null };

/**
 * Finds the column at the end of a path of to-one relationships. To-many relationships are rejected, because
 * they would count a record several times.
 */
export function resolveSource(
  table: CompiledTable,
  names: readonly string[],
  inside: InsideJson | null,
  faults: FaultList,
): ResolvedSource {
  if (names.length > PATH_DEPTH_MAX + 1)
    return rejected(`A path can follow at most ${PATH_DEPTH_MAX} relationships.`, 'too_deep', null);
  const found = findColumnPath(table, names, {
    faults,
    describeToMany: (step) => ({
      msg: `${step.name} is a to-many relationship.`,
      type: 'not_to_one',
      hint:
        `Aggregate the list of ${step.target.name} instead, and group it by a column of its to-one ` +
        'relationship.',
    }),
    hintColumn: (name, source) => hintFor(faults, name, () => visibleColumnNames(source)),
  });
  if ('msg' in found) return { kind: 'refused', ...found };
  const { path, column } = found;
  if (inside === null) return { kind: 'found', source: { path, column } };
  if (column.valueKind !== 'json')
    return rejected(`${column.name} is not a JSON column, so -> cannot be used.`, 'not_computable', null);
  return { kind: 'found', source: { path, column, jsonPath: inside.path } };
}

function rejected(msg: string, type: string, hint: string | null): ResolvedSource {
  return { kind: 'refused', msg, type, hint };
}

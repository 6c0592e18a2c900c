import { plainStep } from './alter-step.js';
import type { CheckConstraint, ForeignKey, Table } from '@rowhouse/schema-model';
import { checkConstraintCheck, orphanCheck } from './row-checks.js';
import { alterTable, quoteName } from '../sql-text.js';
import { findRebuild, type TableState } from './table-state.js';
import type { PlannedStep, RowCheck, StepIntent } from '../types.js';

/**
 * The first number that a rebuild on MySQL uses in the name of a check constraint that cannot keep the name
 * that its author chose.
 */
export const CHECK_NUMBER_FROM = 900;

export interface ConstraintSets {
  readonly goneKeys: readonly ForeignKey[];
  readonly addedKeys: readonly ForeignKey[];
  readonly goneChecks: readonly CheckConstraint[];
  readonly addedChecks: readonly CheckConstraint[];
}

export function splitConstraints(from: Table, to: Table): ConstraintSets {
  const checks = pairRenamed(
    from.name,
    missing(ownChecks(from), ownChecks(to)),
    missing(ownChecks(to), ownChecks(from)),
  );
  return {
    goneKeys: missing(from.foreignKeys, to.foreignKeys),
    addedKeys: missing(to.foreignKeys, from.foreignKeys),
    goneChecks: checks.removed,
    addedChecks: checks.added,
  };
}

/**
 * Pairs check constraints that differ only in their names. A rebuild on MySQL replaces a chosen name with a
 * generated one. This is not a schema change: the draft keeps the chosen name, and the check is not changed.
 */
function pairRenamed(
  table: string,
  removed: readonly CheckConstraint[],
  added: readonly CheckConstraint[],
): { removed: CheckConstraint[]; added: CheckConstraint[] } {
  const left = [...added];
  const rest = removed.filter((check) => {
    const index = isGivenByRebuild(table, check.name)
      ? left.findIndex((other) => other.clause === check.clause)
      : -1;
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  return { removed: rest, added: left };
}

/**
 * Reports whether a rebuild assigned this name to the check constraint. Its number is at least
 * `CHECK_NUMBER_FROM`.
 */
function isGivenByRebuild(table: string, name: string): boolean {
  const number = name.startsWith(`${table}_chk_`) ? name.slice(table.length + 5) : '';
  return /^\d{3,}$/.test(number) && Number(number) >= CHECK_NUMBER_FROM;
}

/**
 * Returns the check constraints of the table itself. A check that is written in a column's definition is part
 * of the column.
 */
function ownChecks(table: Table): CheckConstraint[] {
  return table.checks.filter((check) => check.definition !== '');
}

function missing<T extends { readonly name: string; readonly definition: string }>(
  these: readonly T[],
  others: readonly T[],
): T[] {
  const known = new Map(others.map((other) => [other.name, other.definition]));
  return these.filter((entry) => known.get(entry.name) !== entry.definition);
}

/**
 * Returns a step that drops foreign keys. It only removes restrictions. It comes first, because the types of
 * columns in a foreign key cannot be changed while the key exists.
 */
export function dropKeysStep(table: string, keys: readonly ForeignKey[]): PlannedStep[] {
  const sql = alterTable(
    table,
    keys.map((key) => `DROP FOREIGN KEY ${quoteName(key.name)}`),
  );
  return sql === null ? [] : [plainStep('alter_table', table, 'widen', sql)];
}

/**
 * Returns a step that adds one check constraint. Each constraint has its own step: it is added without
 * validation of the rows, and the rows are checked before and after.
 */
export function addCheckStep(state: TableState, check: CheckConstraint): PlannedStep {
  return addStep(state.name, check.definition, [checkConstraintCheck(state, check)], {
    kind: 'add_check',
    rebuild: findRebuild(state, state, [`ADD ${check.definition}`]),
  });
}

export function addForeignKeyStep(state: TableState, key: ForeignKey): PlannedStep {
  return addStep(state.name, key.definition, [orphanCheck(state, key)], {
    kind: 'add_foreign_key',
    rebuild: null,
  });
}

function addStep(
  table: string,
  definition: string,
  rowChecks: readonly RowCheck[],
  intent: StepIntent,
): PlannedStep {
  const sql = alterTable(table, [`ADD ${definition}`]) ?? '';
  return {
    kind: 'alter_table',
    table,
    sql,
    class: 'tighten',
    reversible: true,
    loss: [],
    beforePublish: null,
    afterPublish: sql,
    rowChecks,
    intent,
  };
}

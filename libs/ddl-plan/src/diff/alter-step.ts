import { alterTable } from '../sql-text.js';
import { findRebuild, type TableState } from './table-state.js';
import type { PlannedStep, RowCheck, StepClass, StepKind } from '../types.js';

interface StepDetails {
  readonly loss?: readonly string[];
  readonly reversible?: boolean;
  readonly rowChecks?: readonly RowCheck[];
}

/**
 * Returns a step with one statement that runs before publishing. The step loses no data and needs no row
 * checks.
 */
export function plainStep(kind: StepKind, table: string, stepClass: StepClass, sql: string): PlannedStep {
  return {
    kind,
    table,
    sql,
    class: stepClass,
    reversible: true,
    loss: [],
    beforePublish: sql,
    afterPublish: null,
    rowChecks: [],
    intent: kind === 'alter_table' ? { kind: 'alter', rebuild: null } : { kind: 'plain' },
  };
}

/**
 * Returns a step with one ALTER of one table. Returns no step if `specs` is empty. A `tighten` step runs
 * after publishing, and all others run before it.
 */
export function alterStep(
  before: TableState,
  after: TableState,
  stepClass: StepClass,
  specs: readonly string[],
  details: StepDetails = {},
): PlannedStep[] {
  const sql = alterTable(before.name, specs);
  if (sql === null) return [];
  const isLate = stepClass === 'tighten';
  return [
    {
      kind: 'alter_table',
      table: before.name,
      sql,
      class: stepClass,
      reversible: details.reversible ?? true,
      loss: details.loss ?? [],
      beforePublish: isLate ? null : sql,
      afterPublish: isLate ? sql : null,
      rowChecks: details.rowChecks ?? [],
      intent: { kind: 'alter', rebuild: findRebuild(before, after, specs) },
    },
  ];
}

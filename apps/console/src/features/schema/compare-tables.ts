import type { MigrationPlan } from '@rowhouse/contracts';

export type TableMark = 'new' | 'changed' | 'dropped';

/**
 * Returns what a plan does to each table, keyed by the name in the draft. Dropped tables are keyed by their
 * old name.
 */
export function markTables(plan: MigrationPlan | undefined): ReadonlyMap<string, TableMark> {
  const marks = new Map<string, TableMark>();
  if (plan === undefined) return marks;
  const renames = plan.hints.flatMap((hint) =>
    hint.kind === 'table' ? [[hint.from, hint.to] as const] : [],
  );
  const nameOf = (table: string): string => renames.find(([from]) => from === table)?.[1] ?? table;
  for (const step of plan.steps) {
    if (step.kind === 'create_table' || step.kind === 'create_view')
      marks.set(step.table, marks.get(step.table) === 'dropped' ? 'changed' : 'new');
    else if (step.kind === 'drop_table' || step.kind === 'drop_view') marks.set(step.table, 'dropped');
    else if (!marks.has(nameOf(step.table))) marks.set(nameOf(step.table), 'changed');
  }
  return marks;
}

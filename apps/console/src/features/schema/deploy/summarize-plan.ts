import type { MigrationPlan, MigrationStep } from '@rowhouse/contracts';

const VERBS: Record<MigrationStep['kind'], string> = {
  create_table: 'create',
  drop_table: 'drop',
  rename_table: 'rename',
  alter_table: 'alter',
  create_view: 'create view',
  drop_view: 'drop view',
  create_trigger: 'create trigger on',
  drop_trigger: 'drop trigger on',
  create_routine: 'create routine',
  drop_routine: 'drop routine',
  alter_family: 'alter tables linked to',
  restore_table: 'restore',
  restore_columns: 'restore columns of',
  exclusive: 'swap names of',
};

/** Summarizes a plan, such as `alter posts` or `create users, posts and 3 more`. */
export function summarizePlan(plan: MigrationPlan | undefined): string {
  const steps = plan?.steps ?? [];
  if (steps.length === 0) return 'no change';
  const groups = new Map<string, string[]>();
  for (const step of steps) {
    const verb = VERBS[step.kind] ?? String(step.kind).replaceAll('_', ' ');
    const tables = groups.get(verb) ?? [];
    if (!tables.includes(step.table)) tables.push(step.table);
    groups.set(verb, tables);
  }
  return [...groups].map(([verb, tables]) => `${verb} ${joinNames(tables)}`).join(', ');
}

const NAMED_MAX = 3;

function joinNames(names: readonly string[]): string {
  if (names.length <= NAMED_MAX) return names.join(', ');
  return `${names.slice(0, NAMED_MAX - 1).join(', ')} and ${names.length - NAMED_MAX + 1} more`;
}

const STRATEGIES: Record<MigrationStep['strategy'], string> = {
  create: 'new',
  drop: 'drop',
  instant: 'instant',
  nocopy: 'no copy',
  inplace: 'in place',
  copy_small: 'table copy (small)',
  rebuild: 'online rebuild',
  locked_copy: 'locked copy',
  rebuild_family: 'online rebuild of linked tables',
  replace: 'replaced',
  rename: 'rename',
  add_foreign_key: 'rows checked, then instant',
  add_check: 'rows checked, then instant',
  keep_table: 'recoverable for 24 hours',
  keep_columns: 'recoverable for 24 hours',
  restore_table: 'restored',
  restore_columns: 'restored',
  exclusive: 'requests pause',
};

export function describeStrategy(strategy: MigrationStep['strategy']): string {
  return STRATEGIES[strategy] ?? String(strategy).replaceAll('_', ' ');
}

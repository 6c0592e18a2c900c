import type { MigrationPlan } from '@rowhouse/contracts';
import type { DdlPart, NewStep, PlainStepKind, StepAction } from '@rowhouse/platform-store';

/** An action of a run. Each action is stored as a row of the journal. */
type Action = StepAction & Pick<NewStep, 'table' | 'statement' | 'strategy'>;

/**
 * Returns the actions of a run in order. The class of each statement decides whether it runs before or after
 * publishing.
 * `publish_target` publishes the new schema while the old columns still exist. `prepare` sends gateways the
 * schema that will exist after the next DDL action, and `publish_pair` publishes that schema.
 * Statements that drop objects or tighten rules wait until all live gateways have stopped using the old
 * snapshot. Statements that widen the schema run before publishing. Renames are prepared and published
 * separately, because requests must find their names in one of two snapshots.
 */
export function listActions(plan: MigrationPlan): NewStep[] {
  const actions: Action[] = [];
  const nothing = { table: '', statement: '', strategy: '' };
  const plain = (kind: PlainStepKind): void => void actions.push({ ...nothing, kind, checkpoint: null });
  const ddl = (part: DdlPart): void => {
    plan.steps.forEach((step, index) => {
      const statement = step[part];
      if (statement === null) return;
      const isPair = part === 'beforePublish' && (step.class === 'rename' || step.class === 'retype');
      if (isPair) {
        actions.push({ ...nothing, kind: 'prepare', checkpoint: { step: index } });
        plain('acknowledge');
      }
      actions.push({
        kind: 'ddl',
        table: step.table,
        statement,
        strategy: step.strategy,
        checkpoint: { step: index, class: step.class, part },
      });
      if (isPair) {
        plain('grant');
        plain('publish_pair');
      }
    });
  };
  ddl('beforePublish');
  if (plan.steps.some((step) => step.afterPublish !== null)) {
    plain('check_rows');
    plain('grant');
    plain('publish_target');
    plain('acknowledge');
    ddl('afterPublish');
  }
  plain('grant');
  plain('publish');
  return actions.map((action, index) => ({ ...action, ordinal: index + 1 }));
}

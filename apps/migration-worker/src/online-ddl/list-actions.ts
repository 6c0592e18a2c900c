import type { MigrationPlan, MigrationStep } from '@rowhouse/contracts';
import type { NewStep } from '@rowhouse/platform-store';

/**
 * The kind of an action of a run; each action is a journal row. `publish_target` publishes the new schema
 * while the old columns still exist. `prepare` sends gateways the schema after the next DDL action, and
 * `publish_pair` publishes it.
 */
export type ActionKind =
  | 'ddl'
  | 'check_rows'
  | 'grant'
  | 'prepare'
  | 'publish_pair'
  | 'publish_target'
  | 'acknowledge'
  | 'publish';

/** Stored with a DDL action: its step in the plan. */
export interface DdlCheckpoint {
  readonly step: number;
  readonly class: MigrationStep['class'];
  readonly part: 'beforePublish' | 'afterPublish';
}

/**
 * Returns the order of DDL and publishing by class.
 * - Changes that widen the schema run before publishing.
 * - Renames are prepared and published separately, since requests must find their names in one of two
 *   snapshots.
 * - Drops and tightening wait until every live gateway has stopped using the old snapshot.
 */
export function listActions(plan: MigrationPlan): NewStep[] {
  const actions: Omit<NewStep, 'ordinal'>[] = [];
  const plain = (kind: ActionKind, checkpoint: NewStep['checkpoint'] = null): void =>
    void actions.push({ kind, table: '', statement: '', strategy: '', checkpoint });
  const ddl = (part: DdlCheckpoint['part']): void => {
    plan.steps.forEach((step, index) => {
      const statement = step[part];
      if (statement === null) return;
      const checkpoint: DdlCheckpoint = { step: index, class: step.class, part };
      const isPair = part === 'beforePublish' && (step.class === 'rename' || step.class === 'retype');
      if (isPair) {
        plain('prepare', { step: index });
        plain('acknowledge');
      }
      actions.push({
        kind: 'ddl',
        table: step.table,
        statement,
        strategy: step.strategy,
        checkpoint: { ...checkpoint },
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

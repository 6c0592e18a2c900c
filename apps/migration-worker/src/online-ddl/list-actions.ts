import type { MigrationPlan, MigrationStep } from '@rowhouse/contracts';
import type { NewStep } from '@rowhouse/platform-store';

/**
 * What a run does, one journal row each. `publish_target` shows the new schema while the old columns still stand.
 * `prepare` sends the schema ahead that the next DDL action leads to, `publish_pair` makes it the live one.
 */
export type ActionKind = 'ddl' | 'check_rows' | 'grant' | 'prepare' | 'publish_pair' | 'publish_target' | 'acknowledge' | 'publish';

/** Stored with a DDL action: which step of the plan it belongs to. */
export interface DdlCheckpoint {
  readonly step: number;
  readonly class: MigrationStep['class'];
  readonly part: 'beforePublish' | 'afterPublish';
}

/**
 * The order of DDL and publishing, by class: what widens goes ahead of publishing; what renames is sent ahead and
 * published by itself, since requests must find their names on one of two snapshots; what drops or tightens waits
 * until every live gateway has left the old snapshot behind.
 */
export function listActions(plan: MigrationPlan): NewStep[] {
  const actions: Omit<NewStep, 'ordinal'>[] = [];
  const plain = (kind: ActionKind, checkpoint: NewStep['checkpoint'] = null): void => void actions.push({ kind, table: '', statement: '', strategy: '', checkpoint });
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
      actions.push({ kind: 'ddl', table: step.table, statement, strategy: step.strategy, checkpoint: { ...checkpoint } });
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

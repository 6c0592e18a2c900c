import type { MigrationResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { IconArrowBackUp, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useCancelMigration, useRetryMigration } from '../../data/migrations/mutations.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { lazyDialog } from '../../ui/dialogs/lazy-dialog.js';
import { PlanSteps } from '../schema/deploy/plan-steps.js';
import { confirmShown, readNewPlan } from '../schema/deploy/shown-plan.js';
import classes from './migrations.module.css';

const RevertDialog = lazyDialog(() => import('./revert-dialog.js').then((module) => module.RevertDialog));

const REVERTIBLE: readonly string[] = ['published', 'needs_attention'];
const REPEATABLE: readonly string[] = ['failed', 'cancelled', 'needs_attention'];

/** The buttons for a migration that has ended, such as retry and revert. */
export function MigrationActions({
  migration,
  onAnother,
}: {
  migration: MigrationResponse;
  onAnother: (migration: MigrationResponse) => void;
}) {
  const [isReverting, setReverting] = useState(false);
  const retry = useRetryMigration(migration.id);
  const canRevert =
    REVERTIBLE.includes(migration.state) && migration.origin !== 'revert' && migration.plan.steps.length > 0;
  const canRetry = REPEATABLE.includes(migration.state);
  if (!canRevert && !canRetry) return null;
  const newPlan = readNewPlan(retry.error, migration.plan);
  const plan = newPlan ?? migration.plan;
  const loses = plan.loss.length > 0;
  return (
    <div className={classes.actions}>
      {canRetry ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={15} />}
          loading={retry.isPending}
          onClick={() => retry.mutate(confirmShown(plan), { onSuccess: onAnother })}
        >
          {newPlan !== null
            ? loses
              ? 'Retry with the new plan and accept data loss'
              : 'Retry with the new plan'
            : migration.state === 'needs_attention'
              ? 'Continue'
              : loses
                ? 'Retry and accept data loss'
                : 'Retry'}
        </Button>
      ) : null}
      {canRevert ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconArrowBackUp size={15} />}
          onClick={() => setReverting(true)}
        >
          Revert
        </Button>
      ) : null}
      {newPlan === null ? null : <PlanSteps plan={newPlan} />}
      {retry.isError ? <ErrorNotice title="Couldn’t retry the migration" error={retry.error} /> : null}
      <RevertDialog
        migration={migration}
        opened={isReverting}
        onClose={() => setReverting(false)}
        onReverting={(created) => {
          setReverting(false);
          onAnother(created);
        }}
      />
    </div>
  );
}

/** Cancels a queued or running migration. The worker rolls back unfinished steps. */
export function CancelButton({ migration }: { migration: MigrationResponse }) {
  const cancel = useCancelMigration(migration.id);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={cancel.isPending}
        disabled={cancel.isSuccess}
        onClick={() => cancel.mutate(undefined)}
      >
        {cancel.isSuccess ? 'Stopping at the next safe point' : 'Cancel migration'}
      </Button>
      {cancel.isError ? <ErrorNotice title="Couldn’t cancel the migration" error={cancel.error} /> : null}
    </>
  );
}

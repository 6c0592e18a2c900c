import type { MigrationResponse, MigrationPlan } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRevertMigration } from '../../data/migrations/mutations.js';
import { revertPlanQuery } from '../../data/migrations/queries.js';
import { DialogActions } from '../../ui/dialogs/dialog-actions.js';
import { DialogFrame } from '../../ui/dialogs/dialog-frame.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { PlanSteps } from '../schema/deploy/plan-steps.js';
import { confirmShown, readNewPlan } from '../schema/deploy/shown-plan.js';
import classes from './migrations.module.css';
import { ConfirmLossField } from '../schema/deploy/confirm-loss-field.js';

interface RevertDialogProps {
  readonly migration: MigrationResponse;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onReverting: (migration: MigrationResponse) => void;
}

/** Shows the plan for reverting a migration, and a button that runs exactly this plan. */
export function RevertDialog(props: RevertDialogProps) {
  return (
    <DialogFrame opened={props.opened} onClose={props.onClose} title="Revert this migration?" size="lg">
      <RevertForm {...props} />
    </DialogFrame>
  );
}

function RevertForm({ migration, onClose, onReverting }: RevertDialogProps) {
  const plan = useQuery(revertPlanQuery(migration.id));
  return (
    <div className={classes.form}>
      {plan.isPending ? <SkeletonRows rows={3} height={28} /> : null}
      {plan.isError ? <ErrorNotice title="Can’t revert this migration" error={plan.error} /> : null}
      {plan.data ? (
        <RevertPlan plan={plan.data} migration={migration} onClose={onClose} onReverting={onReverting} />
      ) : null}
      {plan.data ? null : (
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        </DialogActions>
      )}
    </div>
  );
}

function RevertPlan({
  plan: loaded,
  migration,
  onClose,
  onReverting,
}: Omit<RevertDialogProps, 'opened'> & { plan: MigrationPlan }) {
  const revert = useRevertMigration(migration.id);
  const [typed, setTyped] = useState('');
  const plan = readNewPlan(revert.error, loaded) ?? loaded;
  const loses = plan.loss.length > 0;
  const run = (): void =>
    revert.mutate(confirmShown(plan), { onSuccess: onReverting, onError: () => setTyped('') });
  return (
    <>
      <p className="rh-dim">
        A new migration returns {migration.environment} to version {migration.base_snapshot}. Your draft isn’t
        changed.
      </p>
      {plan.steps.length === 0 ? (
        <p>Nothing to revert. The schema already matches the earlier version.</p>
      ) : (
        <PlanSteps plan={plan} />
      )}
      {revert.isError ? <ErrorNotice title="Couldn’t revert" error={revert.error} /> : null}
      {loses ? (
        <ConfirmLossField environment={migration.environment} value={typed} onChange={setTyped} />
      ) : null}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          color={loses ? 'brick' : 'pine'}
          loading={revert.isPending}
          disabled={plan.steps.length === 0 || (loses && typed !== migration.environment)}
          onClick={run}
        >
          Revert
        </Button>
      </DialogActions>
    </>
  );
}

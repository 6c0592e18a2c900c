import type { MigrationResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { IconArrowBackUp, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useCancelMigration, useRetryMigration } from '../../data/migrations/mutations.js';
import { isRecord, toApiError } from '../../data/client/api-error.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { lazyDialog } from '../../ui/dialogs/lazy-dialog.js';
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
  const hashes = readHashes(retry.error);
  const loses = migration.plan.loss.length > 0;
  return (
    <div className={classes.actions}>
      {canRetry ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={15} />}
          loading={retry.isPending}
          onClick={() =>
            retry.mutate(
              {
                ...(hashes.length === 0 ? {} : { confirm: hashes }),
                ...(loses ? { accept_loss: true } : {}),
              },
              { onSuccess: onAnother },
            )
          }
        >
          {hashes.length > 0
            ? 'Retry with the new plan'
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

/** Returns the hashes of the plans to review before the migration is retried. */
function readHashes(error: unknown): string[] {
  if (error === null) return [];
  const { code, extra } = toApiError(error);
  if (code !== 'schema.needs_confirmation' || !Array.isArray(extra['plans'])) return [];
  return extra['plans'].filter(isRecord).map((plan) => String(plan['hash']));
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

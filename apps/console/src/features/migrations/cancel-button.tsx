import type { MigrationResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useCancelMigration } from '../../data/migrations/mutations.js';
import { ErrorNotice } from '../../ui/error-notice.js';

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

import type { MigrationAnswer } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useCancelMigration } from '../../data/migrations/mutations.js';
import { ErrorNotice } from '../../ui/error-notice.js';

/** Ends a migration that waits or runs. What it has begun and not finished is taken back by the worker. */
export function CancelButton({ migration }: { migration: MigrationAnswer }) {
  const cancel = useCancelMigration(migration.id);
  return (
    <>
      <Button size="xs" variant="default" loading={cancel.isPending} disabled={cancel.isSuccess} onClick={() => cancel.mutate(undefined)}>{cancel.isSuccess ? 'Ending at the next safe point' : 'Cancel migration'}</Button>
      {cancel.isError ? <ErrorNotice title="It was not cancelled" error={cancel.error} /> : null}
    </>
  );
}

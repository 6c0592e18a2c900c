import type { DatabaseResponse, SoftDeletedResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { usePurgeSoftDeleted } from '../../data/migrations/mutations.js';
import { softDeletedQuery } from '../../data/migrations/queries.js';
import { ConfirmDialog } from '../../ui/dialogs/lazy-dialog.js';
import { Panel } from '../../ui/layout/panel.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import classes from './migrations.module.css';

/**
 * Lists dropped tables and columns that a revert can still restore. The panel is hidden while the list is
 * empty.
 */
export function SoftDeletedPanel({ database, canPurge }: { database: DatabaseResponse; canPurge: boolean }) {
  const softDeleted = useQuery(softDeletedQuery(database.id));
  const purge = usePurgeSoftDeleted(database.id);
  const [purging, setPurging] = useState<SoftDeletedResponse | null>(null);
  const items = softDeleted.data ?? [];
  if (items.length === 0) return null;
  const location = { projectId: database.project_id, environment: database.environment };
  return (
    <Panel title="Recoverable" note="Revert the migration to restore the data.">
      <ul className={classes.softDeleted} aria-label="Recoverable data">
        {items.map((item) => (
          <li key={item.id}>
            <span>
              <span className="rh-mono">{nameOf(item)}</span>{' '}
              <span className="rh-dim">
                will be permanently deleted <TimeText iso={item.expires_at} />
              </span>{' '}
              <Link
                to="/projects/$projectId/$environment/migrations/$migrationId"
                params={{ ...location, migrationId: item.migration }}
              >
                View migration
              </Link>
            </span>
            {canPurge ? (
              <Button size="compact-xs" variant="default" onClick={() => setPurging(item)}>
                Purge now
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        opened={purging !== null}
        title="Delete dropped data permanently?"
        actionLabel="Delete permanently"
        typedWord={database.environment}
        isPending={purge.isPending}
        error={purge.error}
        errorTitle="Couldn’t delete the dropped data"
        onClose={() => setPurging(null)}
        onConfirm={() => {
          if (purging !== null) purge.mutate(purging.migration, { onSuccess: () => setPurging(null) });
        }}
      >
        {purging === null
          ? ''
          : `Permanently deletes ${nameOf(purging)} and everything else that this migration dropped. This can’t be undone.`}
      </ConfirmDialog>
    </Panel>
  );
}

function nameOf(item: SoftDeletedResponse): string {
  return item.column === null ? item.table : `${item.table}.${item.column}`;
}

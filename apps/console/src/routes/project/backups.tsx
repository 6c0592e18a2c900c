import type { TransferFileResponse } from '@rowhouse/contracts';
import { TRANSFER_FILES_MAX } from '@rowhouse/contracts/transfer-limits';
import { Button } from '@mantine/core';
import { IconDatabaseExport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCreateBackup, useDeleteBackup } from '../../data/backups/mutations.js';
import { backupsQuery } from '../../data/backups/queries.js';
import { describeBytes } from '../../data/rows/cell-text.js';
import { sessionQuery } from '../../data/session/queries.js';
import { BackupList } from '../../features/backups/backup-list.js';
import classes from '../../features/backups/backups.module.css';
import { LoadsPanel } from '../../features/backups/loads-panel.js';
import { RestoreDialog } from '../../features/backups/restore-dialog.js';
import { SchedulePanel } from '../../features/backups/schedule-panel.js';
import { useCurrentDatabase } from '../../features/shell/current-database.js';
import { headingOf } from '../../first/page-headings.js';
import { ConfirmDialog } from '../../ui/dialogs/lazy-dialog.js';
import { EmptyState } from '../../ui/notices/empty-state.js';
import { ErrorNotice, QueryErrorNotice } from '../../ui/notices/error-notice.js';
import { Later } from '../../ui/loading/lazy-part.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { AwaitedRows } from '../../ui/loading/skeleton.js';
import { TimeText } from '../../ui/formatting/time-text.js';

/** The page on which users create, download and restore backups of a project's databases. */
export function BackupsScreen() {
  const { project, database } = useCurrentDatabase();
  const session = useQuery(sessionQuery);
  const backups = useQuery(backupsQuery(project.id));
  const create = useCreateBackup(database);
  const remove = useDeleteBackup(project.id);
  const [restoring, setRestoring] = useState<TransferFileResponse | null>(null);
  const [leaving, setLeaving] = useState<TransferFileResponse | null>(null);
  const role = session.data?.organizations.find(
    (organization) => organization.id === project.organization_id,
  )?.role;
  const canWrite = role !== undefined && role !== 'viewer';
  const files = backups.data ?? [];
  const button = canWrite ? (
    <Button
      leftSection={<IconDatabaseExport size={16} />}
      loading={create.isPending}
      onClick={() => create.mutate(undefined)}
    >
      Back up {database.environment}
    </Button>
  ) : undefined;
  return (
    <Page {...headingOf('backups')} actions={button}>
      {create.isError ? (
        <ErrorNotice
          title="Couldn’t create the backup"
          error={create.error}
          onRetry={() => create.mutate(undefined)}
        />
      ) : null}
      {backups.isPending ? <AwaitedRows rows={4} /> : null}
      <QueryErrorNotice title="Couldn’t load backups" query={backups} />
      {backups.data ? (
        <p className={classes.facts}>
          <span>
            <strong>{files.length}</strong> of {TRANSFER_FILES_MAX} backups
          </span>
          <span>
            <strong>{describeBytes(files.reduce((sum, file) => sum + file.bytes, 0))}</strong> used (doesn’t
            count toward your storage)
          </span>
        </p>
      ) : null}
      {backups.data && files.length === 0 ? (
        <EmptyState title="No backups yet" action={button}>
          Back up the schema and all rows of {database.environment}. You can download a backup or restore it
          into a new database.
        </EmptyState>
      ) : null}
      {files.length > 0 ? (
        <Later instead={<AwaitedRows rows={4} />}>
          <Panel flush label="Backups">
            <BackupList
              projectId={project.id}
              databases={project.databases}
              files={files}
              canWrite={canWrite}
              onRestore={setRestoring}
              onDelete={setLeaving}
            />
          </Panel>
        </Later>
      ) : null}
      <LoadsPanel database={database} />
      <SchedulePanel database={database} canWrite={canWrite} />
      <RestoreDialog
        project={project}
        database={database}
        file={restoring}
        onClose={() => setRestoring(null)}
      />
      <ConfirmDialog
        opened={leaving !== null}
        title="Delete this backup?"
        actionLabel="Delete backup"
        isPending={remove.isPending}
        error={remove.error}
        errorTitle="Couldn’t delete the backup"
        onClose={() => setLeaving(null)}
        onConfirm={() => {
          if (leaving) remove.mutate(leaving.id, { onSuccess: () => setLeaving(null) });
        }}
      >
        This permanently deletes the backup created{' '}
        {leaving === null ? '' : <TimeText iso={leaving.created_at} />}. Databases restored from it aren’t
        affected.
      </ConfirmDialog>
    </Page>
  );
}

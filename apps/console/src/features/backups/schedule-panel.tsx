import type { DatabaseResponse } from '@rowhouse/contracts';
import { NativeSelect } from '@mantine/core';
import { useUpdateDatabase } from '../../data/databases/mutations.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { Panel } from '../../ui/layout/panel.js';
import { showToast } from '../../ui/notices/toasts.js';
import classes from './backups.module.css';

/**
 * The number of hours between two automatic backups, as the control API expects it. Null means that automatic
 * backups are off.
 */
type BackupHours = 12 | 24 | 72 | null;

export const SCHEDULE_CHOICES: readonly { value: string; label: string }[] = [
  { value: '', label: 'Never' },
  { value: '12', label: 'Every 12 hours' },
  { value: '24', label: 'Every day' },
  { value: '72', label: 'Every 3 days' },
];

/** Sets how often automatic backups run. A choice is saved at once and can be undone in a notice. */
export function SchedulePanel({ database, canWrite }: { database: DatabaseResponse; canWrite: boolean }) {
  const update = useUpdateDatabase(database);
  const hours = database.settings.backup_every_hours as BackupHours;
  const put = (next: BackupHours): Promise<DatabaseResponse> =>
    update.mutateAsync({ settings: { backup_every_hours: next } });
  const choose = (value: string): void => {
    const next = (value === '' ? null : Number(value)) as BackupHours;
    put(next).then(
      () =>
        showToast({ text: `${describeSchedule(next)} (${database.environment}).`, undo: () => put(hours) }),
      () => undefined,
    );
  };
  return (
    <Panel
      title="Automatic backups"
      note={`${describeSchedule(hours)} (${database.environment}).`}
      actions={
        canWrite ? (
          <NativeSelect
            size="xs"
            aria-label="Automatic backups"
            data={[...SCHEDULE_CHOICES]}
            value={hours === null ? '' : String(hours)}
            disabled={update.isPending}
            onChange={(event) => choose(event.currentTarget.value)}
          />
        ) : undefined
      }
    >
      <p className={classes.note}>
        The first backup runs within 5 minutes of turning them on. Automatic backups count toward the project
        limit of 50 and are kept for 7 days.
      </p>
      {update.isError ? <ErrorNotice title="Couldn’t save the schedule" error={update.error} /> : null}
    </Panel>
  );
}

export function describeSchedule(hours: number | null): string {
  if (hours === null) return 'Automatic backups are off';
  return hours < 24
    ? `Backs up every ${hours} hours`
    : hours === 24
      ? 'Backs up every day'
      : `Backs up every ${hours / 24} days`;
}

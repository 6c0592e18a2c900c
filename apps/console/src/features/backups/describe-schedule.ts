/** The interval as the control API takes it. Null means that automatic backups are off. */
export type BackupHours = 12 | 24 | 72 | null;

export const SCHEDULE_CHOICES: readonly { value: string; label: string }[] = [
  { value: '', label: 'Never' },
  { value: '12', label: 'Every 12 hours' },
  { value: '24', label: 'Every day' },
  { value: '72', label: 'Every 3 days' },
];

export function describeSchedule(hours: number | null): string {
  if (hours === null) return 'automatic backups are off';
  return hours < 24
    ? `a backup every ${hours} hours`
    : hours === 24
      ? 'a backup every day'
      : `a backup every ${hours / 24} days`;
}

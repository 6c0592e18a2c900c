import { expect, it } from 'vitest';
import { describeSchedule, SCHEDULE_CHOICES } from './schedule-panel.js';

it('the backups page describes the interval of automatic backups', () => {
  expect(SCHEDULE_CHOICES.map(({ value }) => describeSchedule(value === '' ? null : Number(value)))).toEqual([
    'automatic backups are off',
    'a backup every 12 hours',
    'a backup every day',
    'a backup every 3 days',
  ]);
});

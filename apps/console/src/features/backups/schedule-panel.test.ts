import { expect, it } from 'vitest';
import { describeSchedule, SCHEDULE_CHOICES } from './schedule-panel.js';

it('the backups page describes the interval of automatic backups', () => {
  expect(SCHEDULE_CHOICES.map(({ value }) => describeSchedule(value === '' ? null : Number(value)))).toEqual([
    'Automatic backups are off',
    'Backs up every 12 hours',
    'Backs up every day',
    'Backs up every 3 days',
  ]);
});

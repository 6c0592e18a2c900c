import { expect, it } from 'vitest';
import { describeSchedule, SCHEDULE_CHOICES } from './describe-schedule.js';

it('says how often copies are made', () => {
  expect(SCHEDULE_CHOICES.map(({ value }) => describeSchedule(value === '' ? null : Number(value)))).toEqual(['no copies are made by themselves', 'a copy every 12 hours', 'a copy every day', 'a copy every 3 days']);
});

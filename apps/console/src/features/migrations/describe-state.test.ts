import { expect, it } from 'vitest';
import { describeState, listStages } from './describe-state.js';

it('walks through the stages', () => {
  expect(listStages('queued').map((stage) => stage.kind)).toEqual(['now', 'ahead', 'ahead', 'ahead']);
  expect(listStages('waiting_for_lock').map((stage) => stage.kind)).toEqual(['done', 'now', 'ahead', 'ahead']);
  expect(listStages('published').map((stage) => stage.kind)).toEqual(['done', 'done', 'done', 'done']);
});

it('stops where it failed', () => {
  expect(listStages('failed')[1]).toEqual({ label: 'failed', kind: 'stopped' });
});

it('shows a state it does not know as it came', () => {
  expect(describeState('being_considered')).toMatchObject({ label: 'being considered', tone: 'plain' });
});

import { expect, it } from 'vitest';
import { describeState, listStages } from './describe-state.js';

it('a deploy passes through its stages', () => {
  expect(listStages('queued').map((stage) => stage.kind)).toEqual(['now', 'ahead', 'ahead', 'ahead']);
  expect(listStages('waiting_for_lock').map((stage) => stage.kind)).toEqual([
    'done',
    'now',
    'ahead',
    'ahead',
  ]);
  expect(listStages('published').map((stage) => stage.kind)).toEqual(['done', 'done', 'done', 'done']);
});

it('a failed deploy stops at the second stage', () => {
  expect(listStages('failed')[1]).toEqual({ label: 'failed', kind: 'stopped' });
});

it('an unknown state is shown unchanged', () => {
  expect(describeState('being_considered')).toMatchObject({ label: 'being considered', tone: 'plain' });
});

import { expect, it } from 'vitest';
import { describeState, listStages } from './describe-state.js';

it('listStages marks the stages of a deploy as done, current or ahead', () => {
  expect(listStages('queued').map((stage) => stage.kind)).toEqual(['now', 'ahead', 'ahead', 'ahead']);
  expect(listStages('waiting_for_lock').map((stage) => stage.kind)).toEqual([
    'done',
    'now',
    'ahead',
    'ahead',
  ]);
  expect(listStages('published').map((stage) => stage.kind)).toEqual(['done', 'done', 'done', 'done']);
});

it('listStages shows that a failed deploy stopped at its second stage', () => {
  expect(listStages('failed')[1]).toEqual({ label: 'failed', kind: 'stopped' });
});

it('an unknown state of a deploy is shown unchanged', () => {
  expect(describeState('being_considered')).toMatchObject({ label: 'being considered', tone: 'plain' });
});

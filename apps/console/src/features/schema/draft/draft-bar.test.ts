import { expect, it } from 'vitest';
import { reportDraftState } from './draft-bar.js';

it.each([
  [[0, 0], false, 'No pending changes'],
  [[0, null], false, 'Comparing draft'],
  [[0, null], true, 'Couldn’t compare the draft'],
  [[2, null], true, 'Draft'],
] as const)('the state of a draft with %j changes (failed: %s) is described', (counts, hasFailed, state) => {
  expect(reportDraftState(counts, hasFailed)).toBe(state);
});

import { expect, it } from 'vitest';
import { tellDraftState } from './tell-draft-state.js';

it.each([
  [[0, 0], false, 'The draft is live'],
  [[0, null], false, 'Comparing the draft'],
  [[0, null], true, 'The draft could not be compared'],
  [[2, null], true, 'This is a draft'],
] as const)('the state of a draft with %j changes (failed: %s) is described', (counts, hasFailed, state) => {
  expect(tellDraftState(counts, hasFailed)).toBe(state);
});

import { expect, it } from 'vitest';
import { describeCount } from './row-count.js';

it('says guesses of the engine as guesses', () => {
  expect([0, 950, 9_999, 1_234_567].map(describeCount)).toEqual(['0', '950', '9,999', '1.23M']);
});

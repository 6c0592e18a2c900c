import { expect, it } from 'vitest';
import { isEnvironmentName } from './mutations.js';

it.each([
  ['staging', true],
  ['a', true],
  ['eu-west-2', true],
  ['', false],
  ['2nd', false],
  ['Staging', false],
  ['a_b', false],
  ['a'.repeat(32), false],
])('the environment name %s is valid: %s', (name, isOne) => {
  expect(isEnvironmentName(name)).toBe(isOne);
});

import { expect, it } from 'vitest';
import { ENVIRONMENT_NAME } from './mutations.js';

it('a browser accepts the pattern of environment names', () => {
  // Browsers compile the `pattern` attribute with the flag v and ignore a pattern that does not compile.
  const pattern = new RegExp(`^(?:${ENVIRONMENT_NAME})$`, 'v');
  expect(pattern.test('staging-2')).toBe(true);
  expect(pattern.test('Staging!')).toBe(false);
});

import { expect, it } from 'vitest';
import { toRoot, toSingular } from './inflect.js';

it.each([['colours', 'color'], ['organisations', 'organization'], ['centre', 'center'], ['cities', 'city'], ['status', 'status']])('%s is %s', (word, singular) => {
  expect(toSingular(word)).toBe(singular);
});

it('has one root for a verb and who does it', () => {
  expect([toRoot('directed'), toRoot('managed'), toRoot('written')]).toEqual([toRoot('director'), toRoot('manager'), toRoot('writer')]);
});

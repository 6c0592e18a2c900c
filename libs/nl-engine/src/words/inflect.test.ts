import { expect, it } from 'vitest';
import { toRoot, toSingular } from './inflect.js';

it.each([['colours', 'color'], ['organisations', 'organization'], ['centre', 'center'], ['cities', 'city'], ['status', 'status'], ['campuses', 'campus'], ['statuses', 'status'], ['viruses', 'virus'], ['courses', 'course'], ['nurses', 'nurse'], ['causes', 'cause'], ['houses', 'house']])('%s is %s', (word, singular) => {
  expect(toSingular(word)).toBe(singular);
});

it('has one root for a verb and who does it', () => {
  expect([toRoot('directed'), toRoot('managed'), toRoot('written')]).toEqual([toRoot('director'), toRoot('manager'), toRoot('writer')]);
});

it.each([['nominated', 'nomination'], ['located', 'location'], ['published', 'publication'], ['operates', 'operators'], ['associate', 'association']])('has one root for %s and %s', (verb, noun) => {
  expect(toRoot(verb)).toBe(toRoot(noun));
});

it('leaves short words alone', () => {
  expect([toRoot('rated'), toRoot('dates'), toRoot('states')]).toEqual(['rat', 'date', 'stat']);
});

it.each(['constructor', 'valueOf', 'toString', 'hasOwnProperty'])('takes %s for a word like any other', (word) => {
  expect([typeof toSingular(word), typeof toRoot(word)]).toEqual(['string', 'string']);
});

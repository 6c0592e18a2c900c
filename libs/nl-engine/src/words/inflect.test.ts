import { expect, it } from 'vitest';
import { memoizeWords, toRoot, toSingular } from './inflect.js';

it.each([
  ['colours', 'color'],
  ['organisations', 'organization'],
  ['centre', 'center'],
  ['cities', 'city'],
  ['status', 'status'],
  ['campuses', 'campus'],
  ['statuses', 'status'],
  ['viruses', 'virus'],
  ['courses', 'course'],
  ['nurses', 'nurse'],
  ['causes', 'cause'],
  ['houses', 'house'],
])('the singular of "%s" is "%s"', (word, singular) => {
  expect(toSingular(word)).toBe(singular);
});

it('a verb and its agent noun share a root', () => {
  expect([toRoot('directed'), toRoot('managed'), toRoot('written')]).toEqual([
    toRoot('director'),
    toRoot('manager'),
    toRoot('writer'),
  ]);
});

it.each([
  ['nominated', 'nomination'],
  ['located', 'location'],
  ['published', 'publication'],
  ['operates', 'operators'],
  ['associate', 'association'],
])('the words "%s" and "%s" share a root', (verb, noun) => {
  expect(toRoot(verb)).toBe(toRoot(noun));
});

it('toRoot and toSingular return short words unchanged', () => {
  expect([toRoot('rated'), toRoot('dates'), toRoot('states')]).toEqual(['rat', 'date', 'stat']);
});

it.each(['constructor', 'valueOf', 'toString', 'hasOwnProperty'])(
  'the word "%s" is handled like any other word, although it is a member of Object',
  (word) => {
    expect([typeof toSingular(word), typeof toRoot(word)]).toEqual(['string', 'string']);
  },
);

it('memoizeWords computes each word once and clears its cache when it is full', () => {
  const created: string[] = [];
  const double = memoizeWords((word) => {
    created.push(word);
    return word + word;
  });
  expect([double('a'), double('a'), double('b')]).toEqual(['aa', 'aa', 'bb']);
  expect(created).toEqual(['a', 'b']);
  for (let index = 0; index < 5_000; index += 1) double(`word ${index}`);
  expect(double('a')).toBe('aa');
  expect(created.filter((word) => word === 'a')).toHaveLength(2);
});

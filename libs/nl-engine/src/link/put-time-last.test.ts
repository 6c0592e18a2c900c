import { expect, it } from 'vitest';
import { tokenize } from '../words/tokenize.js';
import { putTimeLast } from './put-time-last.js';

const correct = (question: string): string =>
  putTimeLast(tokenize(question))
    .map((token) => token.text)
    .join(' ');

it.each([
  ['In 2014, how many matches were played?', 'how many matches were played In 2014 ?'],
  ['On average, how old are users?', 'how old are users On average ?'],
  ['Since March 2020, which users posted', 'which users posted Since March 2020'],
  ['List in alphabetical order all names.', 'List all names in alphabetical order .'],
  ['List in alphabetical order of names the ages', 'List in alphabetical order of names the ages'],
  ['In Berlin, how many stores are there?', 'In Berlin , how many stores are there ?'],
  ['In 2014, which team won? List its name.', 'In 2014 , which team won ? List its name .'],
])('putTimeLast moves the leading time or order to the end of "%s"', (question, corrected) => {
  expect(correct(question)).toBe(corrected);
});

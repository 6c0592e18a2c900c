import { expect, it } from 'vitest';
import { correctWord, correctFirstWord, correctFunctionWord } from './misspelt.js';

it.each([
  ['diffrent', 'different'],
  ['mininum', 'minimum'],
  ['minumum', 'minimum'],
  ['acsending', 'ascending'],
  ['district', null],
  ['different', null],
  ['lumber', null],
])('the word "%s" is corrected to %s', (word, meant) => {
  expect(correctWord(word)).toBe(meant);
});

it('correctFirstWord corrects a misspelled first word by the second word', () => {
  expect([
    correctFirstWord('hom', 'many'),
    correctFirstWord('cound', 'the'),
    correctFirstWord('fund', 'the'),
    correctFirstWord('home', 'address'),
  ]).toEqual(['how', 'count', 'find', null]);
});

it('correctFunctionWord corrects misspelled function words', () => {
  expect([
    correctFunctionWord('teh', 'of'),
    correctFunctionWord('then', 'older'),
    correctFunctionWord('then', 'price'),
    correctFunctionWord('then', 'supplier'),
    correctFunctionWord('the', 'of'),
  ]).toEqual(['the', 'than', null, null, null]);
});

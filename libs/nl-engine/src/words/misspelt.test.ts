import { expect, it } from 'vitest';
import { findMeant, findMeantFirst, findMeantSmall } from './misspelt.js';

it.each([
  ['diffrent', 'different'],
  ['mininum', 'minimum'],
  ['minumum', 'minimum'],
  ['acsending', 'ascending'],
  ['district', null],
  ['different', null],
  ['lumber', null],
])('the word "%s" is corrected to %s', (word, meant) => {
  expect(findMeant(word)).toBe(meant);
});

it('a misspelled first word is corrected', () => {
  expect([
    findMeantFirst('hom', 'many'),
    findMeantFirst('cound', 'the'),
    findMeantFirst('fund', 'the'),
    findMeantFirst('home', 'address'),
  ]).toEqual(['how', 'count', 'find', null]);
});

it('misspelled function words are corrected', () => {
  expect([
    findMeantSmall('teh', 'of'),
    findMeantSmall('then', 'older'),
    findMeantSmall('then', 'price'),
    findMeantSmall('then', 'supplier'),
    findMeantSmall('the', 'of'),
  ]).toEqual(['the', 'than', null, null, null]);
});

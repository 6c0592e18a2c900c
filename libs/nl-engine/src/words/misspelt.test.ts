import { expect, it } from 'vitest';
import { findMeant, findMeantFirst, findMeantSmall } from './misspelt.js';

it.each([['diffrent', 'different'], ['mininum', 'minimum'], ['minumum', 'minimum'], ['acsending', 'ascending'], ['district', null], ['different', null], ['lumber', null]])('%s: %s', (word, meant) => {
  expect(findMeant(word)).toBe(meant);
});

it('reads what a question was meant to begin with', () => {
  expect([findMeantFirst('hom', 'many'), findMeantFirst('cound', 'the'), findMeantFirst('fund', 'the'), findMeantFirst('home', 'address')]).toEqual(['how', 'count', 'find', null]);
});

it('reads small words as meant', () => {
  expect([findMeantSmall('teh', 'of'), findMeantSmall('then', 'older'), findMeantSmall('then', 'price'), findMeantSmall('then', 'supplier'), findMeantSmall('the', 'of')]).toEqual(['the', 'than', null, null, null]);
});

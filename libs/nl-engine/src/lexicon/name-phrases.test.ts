import { expect, it } from 'vitest';
import { listColumnPhrases } from './name-phrases.js';

const phrasesOf = (...words: readonly string[]): string[] => listColumnPhrases(words, ['film']).map((phrase) => phrase.words.join(' '));

it('calls a column by who did what its name says', () => {
  expect(phrasesOf('directed', 'by')).toEqual(expect.arrayContaining(['directed by', 'directed', 'director']));
  expect(phrasesOf('written', 'by')).toContain('writer');
  expect(phrasesOf('price')).toEqual(['price']);
});

import { expect, it } from 'vitest';
import { listColumnPhrases, listTablePhrases } from './name-phrases.js';

const phrasesOf = (...words: readonly string[]): string[] => listColumnPhrases(words, ['film']).map((phrase) => phrase.words.join(' '));

it('calls a column by who did what its name says', () => {
  expect(phrasesOf('directed', 'by')).toEqual(expect.arrayContaining(['directed by', 'directed', 'director']));
  expect(phrasesOf('written', 'by')).toContain('writer');
  expect(phrasesOf('price')).toEqual(['price']);
});

it('calls a table by its first word, unless it ties others', () => {
  const callsOf = (isTie: boolean): string[] => listTablePhrases(['county', 'public', 'safety'], isTie).map((phrase) => phrase.words.join(' '));
  expect(callsOf(false)).toContain('county');
  expect(callsOf(true)).not.toContain('county');
});

it('calls a column of many words by short parts of its name', () => {
  const words = Array.from({ length: 30 }, (_, at) => `w${at}`);
  const phrases = phrasesOf(...words);
  expect(phrases).toEqual(expect.arrayContaining([words.join(' '), 'w0', 'w29', 'w3 w4']));
  expect(phrases.length).toBeLessThan(70);
  expect(listColumnPhrases(['unit', 'price'], [], false).map((phrase) => phrase.words.join(' '))).toEqual(['unit price']);
});

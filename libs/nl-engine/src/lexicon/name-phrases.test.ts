import { expect, it } from 'vitest';
import { listColumnPhrases, listTablePhrases } from './name-phrases.js';

const phrasesOf = (...words: readonly string[]): string[] =>
  listColumnPhrases(words, ['film']).map((phrase) => phrase.words.join(' '));

it('an agent noun such as "director" finds a column such as directed_by', () => {
  expect(phrasesOf('directed', 'by')).toEqual(
    expect.arrayContaining(['directed by', 'directed', 'director']),
  );
  expect(phrasesOf('written', 'by')).toContain('writer');
  expect(phrasesOf('price')).toEqual(['price']);
});

it('the first word of a name finds its table unless that is a junction table', () => {
  const callsOf = (isTie: boolean): string[] =>
    listTablePhrases(['county', 'public', 'safety'], isTie).map((phrase) => phrase.words.join(' '));
  expect(callsOf(false)).toContain('county');
  expect(callsOf(true)).not.toContain('county');
});

it('a column with a name of many words is found by short parts of it', () => {
  const words = Array.from({ length: 30 }, (_, index) => `w${index}`);
  const phrases = phrasesOf(...words);
  expect(phrases).toEqual(expect.arrayContaining([words.join(' '), 'w0', 'w29', 'w3 w4']));
  expect(phrases.length).toBeLessThan(70);
  expect(listColumnPhrases(['unit', 'price'], [], false).map((phrase) => phrase.words.join(' '))).toEqual([
    'unit price',
  ]);
});

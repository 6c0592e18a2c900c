import { expect, it } from 'vitest';
import { readSqlTokens } from './format-sql.js';

const kindsOf = (text: string) => readSqlTokens(text).map((token) => [token.kind, token.text]);

it('readSqlTokens separates SQL words, strings, comments and punctuation', () => {
  expect(kindsOf("SELECT `a``b`, 'it''s \\'so\\'' -- note\nFROM t /* x; */ WHERE a <=> 1.5")).toEqual([
    ['word', 'SELECT'],
    ['quoted', '`a``b`'],
    ['mark', ','],
    ['quoted', "'it''s \\'so\\''"],
    ['comment', '-- note'],
    ['word', 'FROM'],
    ['word', 't'],
    ['comment', '/* x; */'],
    ['word', 'WHERE'],
    ['word', 'a'],
    ['mark', '<=>'],
    ['word', '1'],
    ['mark', '.'],
    ['word', '5'],
  ]);
});

it('readSqlTokens reads two hyphens without whitespace as two minus signs', () => {
  expect(kindsOf('5--1')).toEqual([
    ['word', '5'],
    ['mark', '-'],
    ['mark', '-'],
    ['word', '1'],
  ]);
});

it.each(["SELECT 'never closed", 'SELECT `x', '/* on and on', 'größe = 1', ''])(
  'readSqlTokens reads the text %s to its end',
  (text) => {
    expect(
      readSqlTokens(text)
        .map((token) => (token.isApart ? ' ' : '') + token.text)
        .join(''),
    ).toBe(text);
  },
);

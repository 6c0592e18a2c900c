import { AppError } from '@rowhouse/errors';
import { describe, expect, it } from 'vitest';
import { lexSql, locateName, locateText } from './lex-sql.js';

function lex(text: string): [string, string][] {
  return lexSql(text).map((token) => [token.kind, token.value]);
}

describe('lexSql', () => {
  it.each<[string, [string, string][]]>([
    [
      "'it''s' 'a\\'b' \"x\"\"y\"",
      [
        ['string', "it's"],
        ['string', "a'b"],
        ['string', 'x"y'],
      ],
    ],
    ["'\\n\\t\\%\\_\\q'", [['string', '\n\t\\%\\_q']]],
    [
      '`a``b` `c\\`',
      [
        ['quoted', 'a`b'],
        ['quoted', 'c\\'],
      ],
    ],
    [
      "x'4D' X'4d' 0x4D b'01' 0b01",
      [
        ['number', "x'4D'"],
        ['number', "X'4d'"],
        ['number', '0x4D'],
        ['number', "b'01'"],
        ['number', '0b01'],
      ],
    ],
    [
      '0X4D 0xZZ 2fa',
      [
        ['word', '0X4D'],
        ['word', '0XZZ'],
        ['word', '2FA'],
      ],
    ],
    [
      '1 1.5 .5 5. 1e5 1E-5 1.e2',
      [
        ['number', '1'],
        ['number', '1.5'],
        ['number', '.5'],
        ['number', '5.'],
        ['number', '1e5'],
        ['number', '1E-5'],
        ['number', '1.e2'],
      ],
    ],
    [
      '1e+x',
      [
        ['word', '1E'],
        ['operator', '+'],
        ['word', 'X'],
      ],
    ],
    [
      "n'a' _utf8'b'",
      [
        ['string', 'a'],
        ['word', '_UTF8'],
        ['string', 'b'],
      ],
    ],
    [
      "@a @@b.c @`d` @'e'",
      [
        ['variable', '@a'],
        ['variable', '@@b.c'],
        ['variable', '@`d`'],
        ['variable', "@'e'"],
      ],
    ],
    [
      '? :name :n2',
      [
        ['parameter', '?'],
        ['parameter', 'name'],
        ['parameter', 'n2'],
      ],
    ],
    [
      'a:=1',
      [
        ['word', 'A'],
        ['operator', ':='],
        ['number', '1'],
      ],
    ],
    [
      'a<=>b->>c||d',
      [
        ['word', 'A'],
        ['operator', '<=>'],
        ['word', 'B'],
        ['operator', '->>'],
        ['word', 'C'],
        ['operator', '||'],
        ['word', 'D'],
      ],
    ],
    [
      '1--1',
      [
        ['number', '1'],
        ['operator', '-'],
        ['operator', '-'],
        ['number', '1'],
      ],
    ],
    ['größe\u00a0x', [['word', 'GRÖSSE\u00a0X']]],
  ])('lexSql returns the tokens of %s', (text, expected) => {
    expect(lex(text)).toEqual(expected);
  });

  it('lexSql distinguishes the kinds of comments', () => {
    const kinds = lexSql('-- a\n# b\n/* c */ /*! d */ /*M! e */ /*+ f */ --').map((token) => token.comment);
    expect(kinds).toEqual(['plain', 'plain', 'plain', 'executable', 'mariadb_executable', 'hint', 'plain']);
  });

  it('lexSql ends a line comment only at a line feed', () => {
    expect(lexSql('-- a\rSELECT').map((token) => token.kind)).toEqual(['comment']);
    expect(lexSql('# a\u2028SELECT\nx').map((token) => token.kind)).toEqual(['comment', 'word']);
  });

  it('lexSql counts lines and columns through strings and comments', () => {
    const tokens = lexSql("a 'x\ny' /* \n\n */ b\n  c");
    expect(tokens.map(({ text, line, column }) => [text.slice(0, 1), line, column])).toEqual([
      ['a', 1, 1],
      ["'", 1, 3],
      ['/', 2, 4],
      ['b', 4, 5],
      ['c', 5, 3],
    ]);
  });

  it('lexSql rejects a text above the given size limits', () => {
    const bounds = { bytesMax: 10, depthMax: 2, tokensMax: 5 };
    expect(lexSql('((1))', bounds)).toHaveLength(5);
    for (const text of ['(((', '1,1,1,', 'ééééé1']) expect(() => lexSql(text, bounds)).toThrow(AppError);
  });

  it('lexSql reads a text of maximum length as one token in linear time', () => {
    const filler = 'a'.repeat(16_000);
    for (const text of [`'${filler}'`, `/*${filler}*/`, filler, `--${' '}${filler}`])
      expect(lexSql(text)).toHaveLength(1);
  });
});

describe('locateName', () => {
  it('locateName compares names like the server and ignores strings', () => {
    expect(locateName("SELECT 'nope',\n  `NoPe` FROM users", 'nope')).toEqual({ line: 2, column: 3 });
    expect(locateName('SELECT a.nope FROM a', 'nope')).toEqual({ line: 1, column: 10 });
    expect(locateName("SELECT 'nope' FROM a", 'nope')).toBeNull();
  });
});

describe('locateText', () => {
  it('locateText finds text that a server quotes in an error', () => {
    expect(locateText('  SELECT 1\nFROM users y z', 'SELECT 1\nFROM users y z', 'z')).toEqual({
      line: 2,
      column: 14,
    });
    expect(locateText('SELECT /* a */ 1 x y', 'SELECT   1 x y', 'y')).toBeNull();
    expect(locateText('SELECT 1 1', 'SELECT 1 1', '1')).toBeNull();
    expect(locateText('SELECT 1', 'SELECT 1', '')).toBeNull();
  });
});

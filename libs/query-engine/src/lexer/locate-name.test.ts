import { describe, expect, it } from 'vitest';
import { locateName, locateText } from './lex-sql.js';

describe('locateName', () => {
  it('a name is found with the comparison of servers, and not in strings', () => {
    expect(locateName("SELECT 'nope',\n  `NoPe` FROM users", 'nope')).toEqual({ line: 2, column: 3 });
    expect(locateName('SELECT a.nope FROM a', 'nope')).toEqual({ line: 1, column: 10 });
    expect(locateName("SELECT 'nope' FROM a", 'nope')).toBeNull();
  });
});

describe('locateText', () => {
  it('text quoted by a server is found if the texts are equal up to it', () => {
    expect(locateText('  SELECT 1\nFROM users y z', 'SELECT 1\nFROM users y z', 'z')).toEqual({
      line: 2,
      column: 14,
    });
    expect(locateText('SELECT /* a */ 1 x y', 'SELECT   1 x y', 'y')).toBeNull();
    expect(locateText('SELECT 1 1', 'SELECT 1 1', '1')).toBeNull();
    expect(locateText('SELECT 1', 'SELECT 1', '')).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { locateName, locateText } from './locate-name.js';

describe('locateName', () => {
  it('finds a name as the servers compare it, and not in strings', () => {
    expect(locateName("SELECT 'nope',\n  `NoPe` FROM users", 'nope')).toEqual({ line: 2, column: 3 });
    expect(locateName('SELECT a.nope FROM a', 'nope')).toEqual({ line: 1, column: 10 });
    expect(locateName("SELECT 'nope' FROM a", 'nope')).toBeNull();
  });
});

describe('locateText', () => {
  it('finds what a server quotes where the texts are alike up to it', () => {
    expect(locateText('  SELECT 1\nFROM users y z', 'SELECT 1\nFROM users y z', 'z')).toEqual({ line: 2, column: 14 });
    expect(locateText('SELECT /* a */ 1 x y', 'SELECT   1 x y', 'y')).toBeNull();
    expect(locateText('SELECT 1 1', 'SELECT 1 1', '1')).toBeNull();
    expect(locateText('SELECT 1', 'SELECT 1', '')).toBeNull();
  });
});

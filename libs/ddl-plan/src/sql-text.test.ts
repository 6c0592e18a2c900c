import { describe, expect, it } from 'vitest';
import { findOutsideTexts, skipText } from './sql-text.js';

describe('skipText', () => {
  it('a text ends at a quote that is neither doubled nor escaped by a backslash', () => {
    expect(skipText("'a''b' c", 0)).toBe(5);
    expect(skipText("'a\\'b' c", 0)).toBe(5);
    expect(skipText("'open", 0)).toBe(5);
  });
});

describe('findOutsideTexts', () => {
  it('words inside texts are skipped', () => {
    expect(findOutsideTexts("int COMMENT ' CHECK (' CHECK (x)", ' CHECK (')).toBe(22);
    expect(findOutsideTexts("int COMMENT ' CHECK ('", ' CHECK (')).toBe(-1);
  });
});

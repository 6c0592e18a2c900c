import { describe, expect, it } from 'vitest';
import { findOutsideTexts, skipText } from './sql-text.js';

describe('skipText', () => {
  it('skipText stops at a quote that is neither doubled nor escaped', () => {
    expect(skipText("'a''b' c", 0)).toBe(5);
    expect(skipText("'a\\'b' c", 0)).toBe(5);
    expect(skipText("'open", 0)).toBe(5);
  });
});

describe('findOutsideTexts', () => {
  it('findOutsideTexts ignores matches inside quoted texts', () => {
    expect(findOutsideTexts("int COMMENT ' CHECK (' CHECK (x)", ' CHECK (')).toBe(22);
    expect(findOutsideTexts("int COMMENT ' CHECK ('", ' CHECK (')).toBe(-1);
  });
});

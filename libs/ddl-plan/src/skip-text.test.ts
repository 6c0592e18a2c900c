import { describe, expect, it } from 'vitest';
import { findOutsideTexts, skipText } from './skip-text.js';

describe('skipText', () => {
  it('ends at the quote that is neither doubled nor behind a backslash', () => {
    expect(skipText("'a''b' c", 0)).toBe(5);
    expect(skipText("'a\\'b' c", 0)).toBe(5);
    expect(skipText("'open", 0)).toBe(5);
  });
});

describe('findOutsideTexts', () => {
  it('overlooks words in texts', () => {
    expect(findOutsideTexts("int COMMENT ' CHECK (' CHECK (x)", ' CHECK (')).toBe(22);
    expect(findOutsideTexts("int COMMENT ' CHECK ('", ' CHECK (')).toBe(-1);
  });
});

import { describe, expect, it } from 'vitest';
import { skipQuoted } from './sql-text.js';

describe('quoted text', () => {
  it.each([
    ["'it''s' x", 6],
    [String.raw`'it\'s' x`, 6],
    [String.raw`"\\" x`, 3],
    [['`a', '` x'].join('\\'), 3],
    ['`a``b` x', 5],
    ["'open", 5],
  ])('skipQuoted finds the end of %s at index %i', (text, end) => {
    expect(skipQuoted(text, 0)).toBe(end);
  });
});

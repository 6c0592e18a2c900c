import { describe, expect, it } from 'vitest';
import { renderTable } from './render-table.js';

describe('renderTable', () => {
  it('puts numbers to the right, cuts what is too wide, and lets no text move the cursor', () => {
    expect(renderTable(['n', 'text'], [[1, 'a\nb\u001b[2J'], [20, null]], null)).toEqual([' N  TEXT', ' 1  a b[2J', '20']);
    expect(renderTable(['text'], [['x'.repeat(50)]], 20)[1]).toBe(`${'x'.repeat(19)}…`);
  });
});

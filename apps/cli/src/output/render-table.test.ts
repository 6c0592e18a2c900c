import { describe, expect, it } from 'vitest';
import { renderTable } from './render-table.js';

describe('renderTable', () => {
  it('renderTable right-aligns numbers, cuts wide columns and removes control characters', () => {
    expect(
      renderTable(
        ['n', 'text'],
        [
          [1, 'a\nb\u001b[2J'],
          [20, null],
        ],
        null,
      ),
    ).toEqual([' N  TEXT', ' 1  a b[2J', '20']);
    expect(renderTable(['text'], [['x'.repeat(50)]], 20)[1]).toBe(`${'x'.repeat(19)}…`);
  });
});

import { expect, it } from 'vitest';
import { writeTsv } from './cell-text.js';

it('writeTsv keeps every cell in its column', () => {
  expect(
    writeTsv([
      ['id', 'note'],
      ['1', 'two\r\nlines\tand a tab'],
      ['2', ''],
    ]),
  ).toBe('id\tnote\n1\ttwo lines and a tab\n2\t');
});

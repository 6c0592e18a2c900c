import { expect, it } from 'vitest';
import { writeTsv } from '../../../data/rows/cell-text.js';
import { readTsv } from './paste-cells.js';

it('readTsv reads what writeTsv wrote, whatever the cells contain', () => {
  const lines = [
    ['id', 'note'],
    ['1', 'two\r\nlines\tand a tab'],
    ['"', '"quoted"'],
    ['""', 'a "word"\nand "another"'],
    ['\r', ''],
  ];
  expect(readTsv(writeTsv(lines))).toEqual(lines);
  expect(readTsv(writeTsv([['a'], ['']]))).toEqual([['a'], ['']]);
});

it('writeTsv quotes only the cells that would be read differently', () => {
  expect(
    writeTsv([
      ['a "b"', 'c'],
      ['d\ne', '"f'],
    ]),
  ).toBe('a "b"\tc\n"d\ne"\t"""f"');
});

it('readTsv reads the cells with line breaks of a spreadsheet', () => {
  expect(readTsv('1\t"a ""b""\r\nc\td"\tx\r\n2\ty\r\n')).toEqual([
    ['1', 'a "b"\r\nc\td', 'x'],
    ['2', 'y'],
  ]);
});

it('readTsv leaves quotes that do not enclose a cell with special characters', () => {
  expect(readTsv('"a"\t""\n"b" c\t"open\nd')).toEqual([['"a"', '""'], ['"b" c', '"open'], ['d']]);
});

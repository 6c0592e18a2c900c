import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from './codes.js';
import { isAuthorsOwn, listMysqlErrors, numbersOfKind, readMysqlError } from './mysql-errors.js';

describe('the table of MySQL errors', () => {
  it('listMysqlErrors contains each error number of an engine once', () => {
    for (const engine of ['mariadb', 'mysql'] as const) {
      const numbers = listMysqlErrors(engine).map(({ errno }) => errno);
      expect(numbers.filter((errno, index) => numbers.indexOf(errno) !== index)).toEqual([]);
      for (const { code } of listMysqlErrors(engine)) expect(ERROR_CODES[code].status).not.toBe(500);
    }
  });

  it('readMysqlError returns the meaning of an error number for its engine', () => {
    expect(readMysqlError(4025, 'mariadb')?.kind).toBe('check');
    expect(readMysqlError(4025, 'mysql')).toBeNull();
    expect(readMysqlError(4076, 'mariadb')?.kind).toBe('value');
    expect(readMysqlError(3819, 'mysql')?.kind).toBe('check');
    expect(readMysqlError(1064, 'mysql')).toBeNull();
    expect(numbersOfKind('timeout')).toEqual(new Set([1028, 1317, 1969, 3024]));
  });

  it('isAuthorsOwn returns whether an error was raised by SIGNAL', () => {
    expect(isAuthorsOwn(31_001, 'HY000')).toBe(true);
    expect(isAuthorsOwn(1, '99999')).toBe(true);
    expect(isAuthorsOwn(5555, '45001')).toBe(true);
    expect(isAuthorsOwn(1064, '42000')).toBe(false);
    expect(isAuthorsOwn(5555, 'HY000')).toBe(false);
  });
});

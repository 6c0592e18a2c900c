import { describe, expect, it } from 'vitest';
import { findNextNumber } from './table-statistics.js';

const createTable = (options: string): string =>
  `CREATE TABLE \`t\` (\n  \`id\` int NOT NULL AUTO_INCREMENT,\n  \`note\` text COMMENT 'AUTO_INCREMENT=7',\n  PRIMARY KEY (\`id\`)\n) ENGINE=InnoDB${options} DEFAULT CHARSET=utf8mb4`;

describe('findNextNumber', () => {
  it('findNextNumber() reads AUTO_INCREMENT from the options of SHOW CREATE TABLE', () => {
    expect(findNextNumber(createTable(' AUTO_INCREMENT=18446744073709551615'))).toBe('18446744073709551615');
  });
  it('findNextNumber() returns null for a table whose AUTO_INCREMENT has not been used', () => {
    expect(findNextNumber(createTable(''))).toBeNull();
    expect(findNextNumber('')).toBeNull();
  });
});

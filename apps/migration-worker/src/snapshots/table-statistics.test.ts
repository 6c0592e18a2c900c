import { describe, expect, it } from 'vitest';
import { findNextNumber } from './table-statistics.js';

const createTable = (options: string): string =>
  `CREATE TABLE \`t\` (\n  \`id\` int NOT NULL AUTO_INCREMENT,\n  \`note\` text COMMENT 'AUTO_INCREMENT=7',\n  PRIMARY KEY (\`id\`)\n) ENGINE=InnoDB${options} DEFAULT CHARSET=utf8mb4`;

describe('findNextNumber', () => {
  it('the number is found among the options of the table', () => {
    expect(findNextNumber(createTable(' AUTO_INCREMENT=18446744073709551615'))).toBe('18446744073709551615');
  });
  it('a table that counts nothing yet has no number, whatever its columns contain', () => {
    expect(findNextNumber(createTable(''))).toBeNull();
    expect(findNextNumber('')).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { collectLiterals, readComparedNames, writeNamesExactly } from './gold-literals.mjs';

const SCHEMA = {
  db_id: 'x',
  foreign_keys: [],
  tables: [
    {
      name: 'Head',
      words: 'head',
      primary_key: ['id'],
      columns: [
        { name: 'id', type: 'number', words: 'id' },
        { name: 'born', type: 'text', words: 'born' },
        { name: 'Age', type: 'number', words: 'age' },
      ],
    },
  ],
};

describe('collectLiterals', () => {
  it('collectLiterals resolves aliases to find the literals of each column', () => {
    const found = collectLiterals(SCHEMA, [
      "SELECT T1.born FROM head AS T1 WHERE T1.born = 'Ohio' AND T1.age BETWEEN 3 AND 5",
      'SELECT count(*) FROM head WHERE born LIKE "%a%"',
    ]);
    expect(found.get('head.born')?.map((literal) => literal.text)).toEqual(['Ohio', '%a%']);
    expect(found.get('head.age')?.map((literal) => literal.text)).toEqual(['3', '5']);
  });
});

describe('writeNamesExactly', () => {
  it('writeNamesExactly normalizes tables and aliases and keeps literals', () => {
    expect(writeNamesExactly(SCHEMA, "SELECT t1.born FROM head AS T1 WHERE T1.born = 'head'")).toBe(
      "SELECT t1.born FROM Head AS t1 WHERE t1.born = 'head'",
    );
  });
});

describe('readComparedNames', () => {
  it('readComparedNames returns the columns of EXCEPT and INTERSECT', () => {
    expect(
      readComparedNames('SELECT T1.fname ,  lname FROM staff AS T1 EXCEPT SELECT fname ,  lname FROM staff'),
    ).toEqual(['fname', 'lname']);
    expect(readComparedNames('SELECT fname FROM staff')).toEqual([]);
  });
});

import { expect, it } from 'vitest';
import { explainPrefix, readExplain } from './explain-step.js';

it('readExplain reads the EXPLAIN rows of both engines by their column names', () => {
  const mariadb = readExplain(
    'id select_type table type possible_keys key key_len ref rows filtered Extra'.split(' '),
    [['1', 'SIMPLE', 'p', 'ALL', null, null, null, null, '5000', '12.50', 'Using where']],
  );
  const mysql = readExplain(
    'id select_type table partitions type possible_keys key key_len ref rows filtered Extra'.split(' '),
    [
      [1, 'SIMPLE', 'p', null, 'ALL', null, null, null, null, 5000, 12.5, 'Using where'],
      [
        null,
        'UNION RESULT',
        '<union1,2>',
        null,
        'ALL',
        null,
        null,
        null,
        null,
        null,
        null,
        'Using temporary',
      ],
    ],
  );
  expect(mariadb).toEqual([
    {
      id: 1,
      select: 'SIMPLE',
      table: 'p',
      access: 'ALL',
      rows: 5_000,
      filteredShare: 0.125,
      notes: 'Using where',
    },
  ]);
  expect(mysql).toEqual([
    mariadb[0],
    {
      id: null,
      select: 'UNION RESULT',
      table: '<union1,2>',
      access: 'ALL',
      rows: 0,
      filteredShare: 1,
      notes: 'Using temporary',
    },
  ]);
});

it('explainPrefix requests EXPLAIN with the percentage of filtered rows', () => {
  expect([explainPrefix('mariadb'), explainPrefix('mysql')]).toEqual([
    'EXPLAIN EXTENDED ',
    'EXPLAIN FORMAT=TRADITIONAL ',
  ]);
});

import { nameSnapshot, type RawSchema } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { measureOver } from '../../test/measure-shop.js';
import { answerQuestion } from '../answer-question.js';
import { buildLexicon } from '../lexicon/build-lexicon.js';

const id = rawColumn('id', 'int(11)');
const text = (name: string): RawSchema['tables'][number]['columns'][number] => rawColumn(name, 'varchar(50)');
const number = (name: string): RawSchema['tables'][number]['columns'][number] => rawColumn(name, 'int(11)');

/**
 * In this schema, workers have a role with a code as its key. Orders have lines, each with a quantity of a
 * product. Races have a rank.
 */
const WORKS = buildLexicon({
  snapshot: nameSnapshot(
    {
      engine: 'mariadb',
      tables: [
        rawTable('roles', [text('role_code'), text('role_description')], { primaryKey: ['role_code'] }),
        rawTable(
          'employees',
          [id, text('name'), text('role_code'), number('division_id'), number('rank'), number('salary')],
          {
            foreignKeys: [
              foreignKey('employees', 'role_code', 'roles', ['role_code']),
              foreignKey('employees', 'division_id', 'divisions'),
            ],
          },
        ),
        rawTable('divisions', [id, text('name'), text('address'), number('budget')]),
        rawTable('products', [id, text('name'), number('price')]),
        rawTable('orders', [id, text('status')]),
        rawTable('order_lines', [id, number('order_id'), number('product_id'), number('quantity')], {
          foreignKeys: [
            foreignKey('order_lines', 'order_id', 'orders'),
            foreignKey('order_lines', 'product_id', 'products'),
          ],
        }),
      ],
    },
    null,
  ),
  values: [
    { table: 'employees', column: 'name', values: ['Koby', 'Ebba'] },
    { table: 'orders', column: 'status', values: ['Cancelled', 'Open'] },
  ],
  synonyms: [],
});
const answerKind = (question: string): string =>
  answerQuestion({ question, today: '2026-11-21' }, WORKS).kind;

describe('measureMisreadings', () => {
  it('everythingAndColumn counts a statement that shows a whole row and one of its columns', () => {
    expect(
      measureOver(WORKS, 'all information of the products and their price', 't1.*, t1.`price`'),
    ).toMatchObject({ everythingAndColumn: 1 });
    expect(measureOver(WORKS, 'all information of the products', 't1.*')).toMatchObject({
      everythingAndColumn: 0,
    });
    expect(answerKind('all information of the products and their price')).not.toBe('answer');
  });

  it('groupsSummed counts a sum that is grouped by the summed column', () => {
    expect(measureOver(WORKS, 'the total salary for each salary', 'SUM(t1.`salary`)')).toMatchObject({
      groupsSummed: 1,
    });
    expect(measureOver(WORKS, 'the total salary for each rank', 'SUM(t1.`salary`)')).toMatchObject({
      groupsSummed: 0,
    });
    expect(answerKind('the total salary for each salary')).not.toBe('answer');
    expect(answerKind('the total salary for each rank')).toBe('answer');
  });

  it('ownCounts counts a statement that groups the counted rows by their own name', () => {
    expect(
      measureOver(WORKS, 'the name and the number of employees for each division', 't1.`name`'),
    ).toMatchObject({ ownCounts: 1 });
    expect(
      measureOver(WORKS, 'the name of each division and the number of employees', 'GROUP BY'),
    ).toMatchObject({ ownCounts: 0 });
    expect(answerKind('the name of each division and the number of employees')).toBe('answer');
  });

  it('rankEnds counts a highest rank, which may be the smallest number', () => {
    expect(measureOver(WORKS, 'the highest rank of all employees', 'MAX(')).toMatchObject({ rankEnds: 1 });
    expect(measureOver(WORKS, 'the highest salary of all employees', 'MAX(')).toMatchObject({ rankEnds: 0 });
    expect(answerKind('the highest rank of all employees')).not.toBe('answer');
    expect(answerKind('the highest salary of all employees')).toBe('answer');
  });

  it('titles counts a column with the titles of people that is shown instead of their names', () => {
    expect(measureOver(WORKS, 'the titles of employees', 't1.`name`')).toMatchObject({ titles: 1 });
    expect(measureOver(WORKS, 'the names of employees', 't1.`name`')).toMatchObject({ titles: 0 });
    expect(answerKind('the titles of employees')).not.toBe('answer');
  });

  it('heldTotals counts a count of rows that may be meant as a sum of quantities', () => {
    expect(
      measureOver(WORKS, 'the total number of products in orders with status "Cancelled"', 'COUNT(*)'),
    ).toMatchObject({ heldTotals: 1 });
    expect(
      measureOver(WORKS, 'how many products are in orders with status "Cancelled"?', 'COUNT(*)'),
    ).toMatchObject({ heldTotals: 0 });
    expect(answerKind('the total number of products in orders with status "Cancelled"')).not.toBe('answer');
    expect(answerKind('how many products are in orders with status "Cancelled"?')).toBe('answer');
  });

  it('codeShown counts a code that is returned for rows with a name', () => {
    expect(measureOver(WORKS, 'the role of the employee named "Koby"', 't1.`role_code`')).toMatchObject({
      codeShown: 1,
    });
    expect(measureOver(WORKS, 'the division of the employee named "Koby"', 't1.`name`')).toMatchObject({
      codeShown: 0,
    });
    expect(answerKind('the role of the employee named "Koby"')).not.toBe('answer');
    expect(answerKind('the division of the employee named "Koby"')).toBe('answer');
  });

  it('cutOff counts a question that ends before its object', () => {
    expect(
      measureOver(WORKS, 'find the names of the products which are involved in', 't1.`name`'),
    ).toMatchObject({ cutOff: 1 });
    expect(measureOver(WORKS, 'find the names of the products', 't1.`name`')).toMatchObject({ cutOff: 0 });
    expect(answerKind('find the names of the products which are involved in')).not.toBe('answer');
    expect(measureOver(WORKS, 'the average price of products for each each', 'AVG')).toMatchObject({
      cutOff: 1,
    });
    expect(measureOver(WORKS, 'products whose name contains the word "the"', 't1.`name`')).toMatchObject({
      cutOff: 0,
    });
  });

  it('ownGroups counts rows that are grouped by their own label', () => {
    expect(
      measureOver(WORKS, 'the most common role description', 'GROUP BY t1.`role_description`'),
    ).toMatchObject({ ownGroups: 1 });
    expect(measureOver(WORKS, 'the most common status of orders', 'GROUP BY t1.`status`')).toMatchObject({
      ownGroups: 0,
    });
  });

  it('keyForName counts a returned key of rows that have a name', () => {
    expect(measureOver(WORKS, 'the division of the employee named "Koby"', 't1.`division_id`')).toMatchObject(
      { keyForName: 1 },
    );
    expect(
      measureOver(WORKS, 'the division id of the employee named "Koby"', 't1.`division_id`'),
    ).toMatchObject({ keyForName: 0 });
    expect(
      measureOver(WORKS, 'who is the rank of Koby and the salary?', 't1.`rank`', 't1.`salary`'),
    ).toMatchObject({ keyForName: 1 });
    expect(measureOver(WORKS, 'the rank of Koby and the salary', 't1.`rank`', 't1.`salary`')).toMatchObject({
      keyForName: 0,
    });
  });
});

/**
 * In this schema, a team has a row for each season, with the same name. Matches have a team and a year. A
 * table of each pupil's sports has no key.
 */
const SEASONS = buildLexicon({
  snapshot: nameSnapshot(
    {
      engine: 'mariadb',
      tables: [
        rawTable('teams', [id, text('name'), number('year')]),
        rawTable('matches', [id, number('team_id'), number('year'), number('attendance')], {
          foreignKeys: [foreignKey('matches', 'team_id', 'teams')],
        }),
        rawTable('sports_list', [number('pupil'), text('sport_name'), number('hours')], { primaryKey: null }),
      ],
    },
    null,
  ),
  values: [{ table: 'teams', column: 'name', values: ['Red Sox', 'Cubs'] }],
  synonyms: [],
});

describe('measureMisreadings over seasons', () => {
  it('pinnedTimes counts a time of the named row when the requested rows also have a time', () => {
    expect(
      measureOver(
        SEASONS,
        'the total attendance of matches of the team Cubs from 2000 to 2010',
        't2.`year` BETWEEN',
      ),
    ).toMatchObject({ pinnedTimes: 1 });
    expect(
      measureOver(
        SEASONS,
        'the total attendance of matches of the team Cubs from 2000 to 2010',
        't1.`year` BETWEEN',
      ),
    ).toMatchObject({ pinnedTimes: 0 });
  });

  it('listCounts counts a row count of a table that lists items, such as sports by season', () => {
    expect(measureOver(SEASONS, 'how many sports are there?', 'SELECT COUNT(*)')).toMatchObject({
      listCounts: 1,
    });
    expect(measureOver(SEASONS, 'how many teams are there?', 'SELECT COUNT(*)')).toMatchObject({
      listCounts: 0,
    });
  });
});

describe('measureCandidate', () => {
  it('ambiguousPaths counts several possible foreign keys without a quoted value', () => {
    expect(
      measureOver(WORKS, 'names of products in orders with status Cancelled', 't1.`name`'),
    ).toMatchObject({ ambiguousPaths: 1 });
    expect(
      measureOver(WORKS, 'names of products in orders with status "Cancelled"', 't1.`name`'),
    ).toMatchObject({ ambiguousPaths: 0 });
    expect(
      measureOver(WORKS, 'names of employees in divisions with a budget above 100', 't1.`name`'),
    ).toMatchObject({ ambiguousPaths: 0 });
    expect(
      measureOver(
        WORKS,
        'names of employees in the division with the highest budget',
        't1.`name`',
        'LIMIT 1',
      ),
    ).toMatchObject({ ambiguousPaths: 1 });
  });

  it('partKinds counts a distinct count by a column that only resembles the requested one', () => {
    expect(measureOver(WORKS, 'how many different statuses are there?', 'COUNT(DISTINCT')).toMatchObject({
      partKinds: 0,
    });
    expect(measureOver(WORKS, 'how many different descriptions are there?', 'COUNT(DISTINCT')).toMatchObject({
      partKinds: 1,
    });
  });
});

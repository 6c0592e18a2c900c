import { nameSnapshot, type RawSchema } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { measureOver } from '../../test/measure-shop.js';
import { buildLexicon } from '../lexicon/build-lexicon.js';
import type { Measures } from './measure-candidate.js';
import { isDoubtful } from '../answer/score-candidate.js';

const [id, text] = [
  rawColumn('id', 'int(11)'),
  (name: string): ReturnType<typeof rawColumn> => rawColumn(name, 'varchar(50)'),
];
const number = (name: string): ReturnType<typeof rawColumn> => rawColumn(name, 'int(11)');
const SCHEMA: RawSchema = {
  engine: 'mariadb',
  tables: [
    rawTable('departments', [id, text('name'), text('floor'), number('number_of_employees')]),
    rawTable(
      'employees',
      [id, text('name'), text('job'), number('salary'), number('boss_id'), number('department_id')],
      {
        foreignKeys: [
          foreignKey('employees', 'boss_id', 'employees'),
          foreignKey('employees', 'department_id', 'departments'),
        ],
      },
    ),
    rawTable('bonuses', [id, number('employee_id'), number('worth')], {
      foreignKeys: [foreignKey('bonuses', 'employee_id', 'employees')],
    }),
    rawTable('shelves', [id, text('label'), number('parcel_lot_number')]),
  ],
};
const lexicon = buildLexicon({
  snapshot: nameSnapshot(SCHEMA, null),
  values: [
    { table: 'employees', column: 'name', values: ['Ada', 'Boris'] },
    { table: 'employees', column: 'job', values: ['clerk', 'driver'] },
  ],
  synonyms: [],
});
const measure = (question: string, ...chunks: readonly string[]): Measures | null =>
  measureOver(lexicon, question, ...chunks);

describe('oversights of a statement', () => {
  it.each<readonly [string, string, number, readonly string[]]>([
    ['relatedSums', 'average worth of employees', 1, ['AVG(', '`bonuses`']],
    ['relatedSums', 'average salary of employees', 0, ['AVG(']],
    ['relatedSums', 'average worth per employee', 0, ['AVG(', 'GROUP BY']],
    ['selfNamed', 'salaries of employees who report to Ada', 1, ['t1.`name` = ?']],
    ['selfNamed', 'salaries of employees named Ada', 0, ['t1.`name` = ?']],
    [
      'heldQuantities',
      'names of departments with more than 3 employees',
      1,
      ['SELECT COUNT(*) FROM `employees`'],
    ],
    ['heldQuantities', 'names of employees with more than 3 bonuses', 0, ['SELECT COUNT(*) FROM `bonuses`']],
    [
      'bothAttributes',
      'floors of departments with employees that have job both "clerk" and "driver"',
      1,
      ['EXISTS', ' AND EXISTS'],
    ],
    [
      'bothAttributes',
      'names of departments with employees that have job both "clerk" and "driver"',
      0,
      ['EXISTS', ' AND EXISTS'],
    ],
    ['perPlain', 'worth per employee', 1, ['SELECT t1.`worth` FROM `bonuses`']],
    ['perPlain', 'salary per employee', 0, ['`name`', '`salary`']],
    ['numbersOf', 'the parcels', 1, ['`parcel_lot_number`']],
    ['numbersOf', 'the parcel lot numbers', 0, ['`parcel_lot_number`']],
  ])('the feature %s of the question "%s" has the expected value', (name, question, count, chunks) => {
    expect(measure(question, ...chunks)).toMatchObject({ [name]: count });
  });

  it('isDoubtful rejects a statement with any number misreading', () => {
    for (const name of 'relatedSums selfNamed heldQuantities bothAttributes numbersOf perPlain'.split(' '))
      expect(isDoubtful({ cost: 0, margin: 1.5, explained: 5, [name]: 1 })).toBe(true);
  });
});

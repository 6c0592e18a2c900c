import { nameSnapshot, type RawSchema } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { buildLexicon } from './lexicon/build-lexicon.js';
import { listCandidates } from './list-candidates.js';

const id = rawColumn('id', 'int(11)');
const SCHEMA: RawSchema = {
  engine: 'mariadb',
  tables: [
    rawTable('departments', [id, rawColumn('name', 'varchar(50)'), rawColumn('code', 'varchar(10)')]),
    rawTable(
      'employees',
      [
        id,
        rawColumn('first_name', 'varchar(50)'),
        rawColumn('last_name', 'varchar(50)'),
        rawColumn('sex', 'varchar(1)'),
        rawColumn('age', 'int(11)'),
        rawColumn('salary', 'int(11)'),
        rawColumn('employee_details', 'varchar(200)'),
        rawColumn('hours', 'int(11)'),
        rawColumn('department_id', 'int(11)'),
      ],
      { foreignKeys: [foreignKey('employees', 'department_id', 'departments')] },
    ),
  ],
};
const lexicon = buildLexicon({
  snapshot: nameSnapshot(SCHEMA, null),
  values: [
    { table: 'employees', column: 'sex', values: ['M', 'F'] },
    { table: 'departments', column: 'name', values: ['Sales', 'on-call'] },
  ],
  synonyms: [],
});
/** Returns the statement with the lowest cost. */
const read = (
  question: string,
): { sql: string | undefined; params: readonly (string | number)[] | undefined } => {
  const [best] = listCandidates(question, lexicon, 20_000);
  return { sql: best?.sql, params: best?.params };
};

describe('grammatical constructions', () => {
  it.each<readonly [string, string, readonly (string | number)[]]>([
    [
      'first names of employees with hours of at least 20',
      'SELECT t1.`first_name` FROM `employees` AS t1 WHERE t1.`hours` >= ?',
      [20],
    ],
    [
      'first names of employees who have at least a salary of 100',
      'SELECT t1.`first_name` FROM `employees` AS t1 WHERE t1.`salary` >= ?',
      [100],
    ],
    [
      'last names of employees with between 10 and 30 hours',
      'SELECT t1.`last_name` FROM `employees` AS t1 WHERE t1.`hours` BETWEEN ? AND ?',
      [10, 30],
    ],
    [
      'codes of departments that have "al" in their names',
      'SELECT t1.`code` FROM `departments` AS t1 WHERE t1.`name` LIKE ?',
      ['%al%'],
    ],
    [
      'how many female employees are there?',
      'SELECT COUNT(*) AS `count` FROM `employees` AS t1 WHERE t1.`sex` = ?',
      ['F'],
    ],
    ['full names of employees', 'SELECT t1.`first_name`, t1.`last_name` FROM `employees` AS t1', []],
    ['for each department, find its code', 'SELECT t1.`code` FROM `departments` AS t1', []],
    ['details of the employees', 'SELECT t1.`employee_details` FROM `employees` AS t1', []],
    [
      'code of the department named "on-call"',
      'SELECT t1.`code` FROM `departments` AS t1 WHERE t1.`name` = ?',
      ['on-call'],
    ],
    [
      'list in alphabetical order all names of departments',
      'SELECT t1.`name` FROM `departments` AS t1 ORDER BY t1.`name`',
      [],
    ],
    ['the oldest age among the employees', 'SELECT MAX(t1.`age`) AS `max_age` FROM `employees` AS t1', []],
    [
      'first names of employees who earn more than 3000 in salary',
      'SELECT t1.`first_name` FROM `employees` AS t1 WHERE t1.`salary` > ?',
      [3000],
    ],
    [
      'last names of employees with a salary below 160 and 2 hours',
      'SELECT t1.`last_name` FROM `employees` AS t1 WHERE t1.`salary` < ? AND t1.`hours` = ?',
      [160, 2],
    ],
    ['hom many employees are there all together?', 'SELECT COUNT(*) AS `count` FROM `employees` AS t1', []],
    [
      'names of departments whose code is 7',
      'SELECT t1.`name` FROM `departments` AS t1 WHERE t1.`code` = ?',
      ['7'],
    ],
  ])('the construction in "%s" becomes its expected statement', (question, sql, params) => {
    expect(read(question)).toEqual({ sql, params });
  });

  it('a question with "or" gives no statement that joins the conditions by AND', () => {
    const [best] = listCandidates(
      'names of departments with code "A" or employees older than 60',
      lexicon,
      20_000,
    );
    expect(best === undefined || best.cost > 0.6 || best.sql.includes(' OR ')).toBe(true);
  });

  it('no statement counts rows of a to-one relationship or sums a key', () => {
    const sqls = ['employees with more than 2 departments', 'total id of departments'].flatMap((question) =>
      listCandidates(question, lexicon, 20_000).map(({ sql }) => sql),
    );
    expect(sqls.filter((sql) => /SUM\(t\d+\.`id`\)|SELECT COUNT\(\*\) FROM `departments`/.test(sql))).toEqual(
      [],
    );
  });
});

describe('ties at a LIMIT', () => {
  it.each([
    ['the oldest employee', 'ORDER BY t1.`age` DESC, t1.`id` LIMIT 1', ['t1.`id`']],
    ['which department has the most employees?', 'DESC, t1.`id` LIMIT 1', ['t1.`id`']],
    ['the most common age of employees', 'ORDER BY COUNT(*) DESC, t1.`age` LIMIT 1', ['t1.`age`']],
  ])('the statement for "%s" handles ties at the LIMIT', (question, end, tieBreakers) => {
    const [best] = listCandidates(question, lexicon, 20_000);
    expect(best?.sql.endsWith(end) === true ? end : best?.sql).toBe(end);
    expect(best?.tieBreakers).toEqual(tieBreakers);
  });
});

describe('first rows and comparisons with a single row', () => {
  it.each<readonly [string, string]>([
    [
      'first names of employees, starting with the oldest',
      'SELECT t1.`first_name` FROM `employees` AS t1 ORDER BY t1.`age` DESC',
    ],
    [
      'first names of employees with a higher salary than the employee with id 3',
      'SELECT t1.`first_name` FROM `employees` AS t1 WHERE t1.`salary` > (SELECT MAX(t2.`salary`) FROM `employees` AS t2 WHERE t2.`id` = ?)',
    ],
    [
      'how many employees are there in each department, from most to least?',
      'SELECT t2.`name`, COUNT(*) AS `count` FROM `employees` AS t1 JOIN `departments` AS t2 ON t2.`id` = t1.`department_id` GROUP BY t2.`id`, t2.`name` ORDER BY COUNT(*) DESC',
    ],
  ])('the question "%s" about a single row becomes its expected statement', (question, sql) => {
    expect(read(question).sql).toBe(sql);
  });
});

describe('synonymous wordings', () => {
  it.each<readonly [string, string]>([
    [
      'Which employees\' gender is not "F"? Give me their names.',
      'SELECT t1.`first_name`, t1.`last_name` FROM `employees` AS t1 WHERE NOT (t1.`sex` = ?)',
    ],
    ['sort the names of departments by code', 'SELECT t1.`name` FROM `departments` AS t1 ORDER BY t1.`code`'],
    [
      'average amount of hours for each department',
      'SELECT t1.`name`, AVG(t2.`hours`) AS `avg_hours` FROM `departments` AS t1 JOIN `employees` AS t2 ON t2.`department_id` = t1.`id` GROUP BY t1.`id`, t1.`name`',
    ],
    [
      'what is the total amount of hours for each department?',
      'SELECT t1.`name`, SUM(t2.`hours`) AS `sum_hours` FROM `departments` AS t1 JOIN `employees` AS t2 ON t2.`department_id` = t1.`id` GROUP BY t1.`id`, t1.`name`',
    ],
    [
      'show the employee sex with the largest number of employees',
      'SELECT t1.`sex` FROM `employees` AS t1 GROUP BY t1.`sex` ORDER BY COUNT(*) DESC, t1.`sex` LIMIT 1',
    ],
    [
      'what is the employee age with most number of employees?',
      'SELECT t1.`age` FROM `employees` AS t1 GROUP BY t1.`age` ORDER BY COUNT(*) DESC, t1.`age` LIMIT 1',
    ],
    [
      'names of departments unaffected by any employee',
      'SELECT t1.`name` FROM `departments` AS t1 WHERE NOT EXISTS (SELECT 1 FROM `employees` AS t2 WHERE t2.`department_id` = t1.`id`)',
    ],
    [
      'which age is seen the most?',
      'SELECT t1.`age` FROM `employees` AS t1 GROUP BY t1.`age` ORDER BY COUNT(*) DESC, t1.`age` LIMIT 1',
    ],
    [
      'how many employees were there in the department Sales?',
      'SELECT COUNT(*) AS `count` FROM `employees` AS t1 WHERE EXISTS (SELECT 1 FROM `departments` AS t2 WHERE t2.`id` = t1.`department_id` AND t2.`name` = ?)',
    ],
  ])('the synonymous wording "%s" becomes its expected statement', (question, sql) => {
    expect(read(question).sql).toBe(sql);
  });
});

it('a question with "seen the most" does not rank by the number of equal names', () => {
  expect(
    listCandidates('the name of the department that is seen the most', lexicon, 20_000).filter(({ sql }) =>
      /GROUP BY t1\.`name` ORDER BY COUNT/.test(sql),
    ),
  ).toEqual([]);
});

describe('redundant wordings', () => {
  it.each<readonly [string, string]>([
    [
      'first names of employees ordered by number of hours in descending',
      'SELECT t1.`first_name` FROM `employees` AS t1 ORDER BY t1.`hours` DESC',
    ],
    [
      'average salary for the different departments',
      'SELECT t1.`name`, AVG(t2.`salary`) AS `avg_salary` FROM `departments` AS t1 JOIN `employees` AS t2 ON t2.`department_id` = t1.`id` GROUP BY t1.`id`, t1.`name`',
    ],
    [
      'names of departments containing the word "ales"',
      'SELECT t1.`name` FROM `departments` AS t1 WHERE t1.`name` LIKE ?',
    ],
  ])('the redundant wording "%s" becomes its expected statement', (question, sql) => {
    expect(read(question).sql).toBe(sql);
  });
});

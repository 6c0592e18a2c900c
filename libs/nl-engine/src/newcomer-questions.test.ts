import { nameSnapshot, type RawSchema } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { listColumnValues } from '../test/list-column-values.js';
import { DEPOT_QUESTIONS, NURSERY_QUESTIONS } from '../test/newcomer-questions.js';
import { DEPOT_ROWS, NURSERY_ROWS } from '../test/own-rows.js';
import { DEPOT_SCHEMA, NURSERY_SCHEMA } from '../test/own-schemas.js';
import { answerQuestion, type Outcome } from './answer-question.js';
import { buildLexicon } from './lexicon/build-lexicon.js';
import { type ColumnValues } from './lexicon/lexicon.js';

const askQuestion = (question: string, schema: RawSchema, values: readonly ColumnValues[]): Outcome =>
  answerQuestion(
    { question, today: '2026-11-21' },
    buildLexicon({ snapshot: nameSnapshot(schema, null), values, synonyms: [] }),
  );

describe('newcomer questions', () => {
  it.each([
    ['a depot', DEPOT_SCHEMA, DEPOT_ROWS, DEPOT_QUESTIONS],
    ['a nursery', NURSERY_SCHEMA, NURSERY_ROWS, NURSERY_QUESTIONS],
  ] as const)('answerQuestion answers the questions of a new user over %s', (_, schema, rows, questions) => {
    const values = listColumnValues(nameSnapshot(schema, null), rows);
    expect(
      questions
        .map(([question]) => question)
        .filter((question) => askQuestion(question, schema, values).kind !== 'answer'),
    ).toEqual([]);
  });
});

describe('verbs that describe rows', () => {
  it.each([
    [
      'customers born before 2000',
      DEPOT_SCHEMA,
      'SELECT t1.`name` FROM `customers` AS t1 WHERE t1.`born` < ?',
    ],
    [
      'growers born after 1980',
      NURSERY_SCHEMA,
      'SELECT t1.`first_name`, t1.`last_name` FROM `growers` AS t1 WHERE t1.`born` >= ?',
    ],
  ] as const)(
    'the answer returns the rows instead of the day that the verb names: %s',
    (question, schema, sql) => {
      expect(askQuestion(question, schema, [])).toMatchObject({ kind: 'answer', sql });
    },
  );
});

const id = rawColumn('id', 'int(11)');

describe('first names', () => {
  const clients: RawSchema = {
    engine: 'mariadb',
    tables: [
      rawTable('clients', [id, rawColumn('name', 'varchar(50)')]),
      rawTable('jobs', [id, rawColumn('title', 'varchar(50)'), rawColumn('client_id', 'int(11)')], {
        foreignKeys: [foreignKey('jobs', 'client_id', 'clients')],
      }),
    ],
  };
  const named = (...values: readonly string[]): Outcome =>
    askQuestion('jobs of Ann', clients, [{ table: 'clients', column: 'name', values }]);

  it('a first name selects the only person who has it and is ambiguous for several people', () => {
    expect(named('Ann Lee', 'Bob Moss')).toMatchObject({ kind: 'answer', params: ['Ann Lee'] });
    expect(named('Ann Lee', 'Ann Moss')).toMatchObject({
      kind: 'ambiguous',
      choices: [{ params: ['Ann Lee'] }, { params: ['Ann Moss'] }],
    });
    expect(named('Annika Lee', 'Lee Ann').kind).toBe('refused');
  });
});

describe('questions for the newest row', () => {
  const over = (...times: readonly string[]): RawSchema => ({
    engine: 'mariadb',
    tables: [rawTable('parcels', [id, ...times.map((name) => rawColumn(name, 'datetime'))])],
  });

  it.each([['booked_on', 'shipped_at'], ['received_at']])(
    'a question for the newest row uses the creation time: %s',
    (...times) => {
      expect(askQuestion('newest parcel', over(...times), [])).toMatchObject({
        kind: 'answer',
        sql: `SELECT t1.\`id\` FROM \`parcels\` AS t1 ORDER BY t1.\`${times[0] ?? ''}\` DESC, t1.\`id\` LIMIT 1`,
      });
    },
  );

  it('a question for the newest row is refused when rows only store later events', () => {
    expect(askQuestion('newest parcel', over('shipped_at', 'expires_at'), []).kind).toBe('refused');
  });
});

describe('a single number of each row', () => {
  const orders: RawSchema = {
    engine: 'mariadb',
    tables: [rawTable('orders', [id, rawColumn('placed_on', 'date'), rawColumn('amount', 'decimal(10,2)')])],
  };

  it('a total of rows with a single number column sums that column', () => {
    expect(askQuestion('total amount per order', orders, [])).toMatchObject({
      kind: 'answer',
      sql: 'SELECT t1.`id`, SUM(t1.`amount`) AS `sum_amount` FROM `orders` AS t1 GROUP BY t1.`id`',
    });
    expect(askQuestion('average amount per order', orders, []).kind).not.toBe('answer');
  });
});

describe('events of rows', () => {
  const tickets: RawSchema = {
    engine: 'mariadb',
    tables: [
      rawTable('tickets', [
        id,
        rawColumn('subject', 'varchar(50)'),
        rawColumn('status', 'varchar(20)'),
        rawColumn('priority', 'varchar(20)'),
        rawColumn('opened_at', 'datetime'),
        rawColumn('closed_at', 'datetime'),
        rawColumn('due_on', 'date'),
      ]),
    ],
  };
  const values = [
    { table: 'tickets', column: 'status', values: ['open', 'closed'] },
    { table: 'tickets', column: 'priority', values: ['urgent', 'low'] },
  ];

  it.each<readonly [string, RegExp]>([
    ['how many tickets were closed last month?', /`closed_at` >= \? AND t1\.`closed_at` < \?$/],
    ['tickets in October 2026', /WHERE t1\.`opened_at` >= \? AND t1\.`opened_at` < \?$/],
    ['tickets per month', /^SELECT DATE_FORMAT\(t1\.`opened_at`/],
    ['urgent open tickets', /WHERE t1\.`priority` = \? AND t1\.`status` = \?$/],
  ])(
    'a question with a period uses the time of the named event, or else of the creation: %s',
    (question, sql) => {
      const outcome = askQuestion(question, tickets, values);
      expect(outcome.kind === 'answer' ? outcome.sql : outcome.kind).toMatch(sql);
    },
  );

  it('a question such as "tickets by priority" is ambiguous', () => {
    expect(askQuestion('tickets by priority', tickets, values).kind).toBe('ambiguous');
  });
});

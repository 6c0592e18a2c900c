import { nameSnapshot, type RawSchema } from '@rowhouse/schema-model';
import { EXAMPLE_SCHEMA } from '@rowhouse/schema-model/testing';
import { createTestDatabase, getTestServers, type TestDatabase } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BLOG_QUESTIONS } from '../test/blog-questions.js';
import { listColumnValues } from '../test/list-column-values.js';
import { DEPOT_QUESTIONS, NURSERY_QUESTIONS } from '../test/newcomer-questions.js';
import { BLOG_ROWS, DEPOT_ROWS, NURSERY_ROWS, SHOP_ROWS, type TableRows } from '../test/own-rows.js';
import { DEPOT_SCHEMA, NURSERY_SCHEMA, SHOP_SCHEMA } from '../test/own-schemas.js';
import { SHOP_QUESTIONS } from '../test/shop-questions.js';
import { answerQuestion } from './answer-question.js';
import { buildLexicon } from './lexicon/build-lexicon.js';

/** The SQL mode of sessions for the query endpoint. */
const SET_MODE = "SET SESSION sql_mode = 'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'";
/** The minimum percentage of questions that must be answered correctly. */
const RIGHT_MIN_PERCENT = 95;

const quote = (value: string | number | null): string =>
  value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;

function toFillSql(schema: RawSchema, rows: readonly TableRows[]): string[] {
  return [
    ...schema.tables.map((table) =>
      table.createSql
        .replace(' NOT NULL,\n', ',\n')
        .replace(
          /\) ENGINE=InnoDB$/,
          `${table.primaryKey === null ? '' : `, PRIMARY KEY (${table.primaryKey.map((name) => `\`${name}\``).join(', ')})`}) ENGINE=InnoDB`,
        )
        .replaceAll(' NOT NULL', ''),
    ),
    ...rows.map(
      ({ table, columns, rows: created }) =>
        `INSERT INTO \`${table}\` (${columns.map((name) => `\`${name}\``).join(', ')}) VALUES ${created.map((row) => `(${row.map(quote).join(', ')})`).join(', ')}`,
    ),
  ];
}

/**
 * Returns a statement that fails if the two queries return different rows. For every difference, it adds a
 * row to a subquery that may return only one.
 */
function toComparison(gold: string, own: string): string {
  const less = (a: string, b: string): string => `SELECT * FROM (${a}) AS x EXCEPT SELECT * FROM (${b}) AS y`;
  return `SELECT (SELECT 1 UNION ALL SELECT 2 FROM (${less(gold, own)}) AS p UNION ALL SELECT 3 FROM (${less(own, gold)}) AS q)`;
}

function fillParams(sql: string, params: readonly (string | number)[]): string {
  let index = 0;
  return sql.replaceAll('?', () => quote(params[index++] ?? null));
}

const SETS = [
  { name: 'the example schema', schema: EXAMPLE_SCHEMA, rows: BLOG_ROWS, questions: BLOG_QUESTIONS },
  { name: 'a shop', schema: SHOP_SCHEMA, rows: SHOP_ROWS, questions: SHOP_QUESTIONS },
  { name: 'a depot', schema: DEPOT_SCHEMA, rows: DEPOT_ROWS, questions: DEPOT_QUESTIONS },
  { name: 'a nursery', schema: NURSERY_SCHEMA, rows: NURSERY_ROWS, questions: NURSERY_QUESTIONS },
];
const [engine] = getTestServers().engines;

describe.each(SETS)('questions over $name', ({ schema, rows, questions }) => {
  let database: TestDatabase;
  const snapshot = nameSnapshot(schema, null);
  const lexicon = buildLexicon({ snapshot, values: listColumnValues(snapshot, rows), synonyms: [] });

  beforeAll(async () => {
    if (engine === undefined) throw new Error('no server');
    database = await createTestDatabase(engine, 'questions');
    await database.run(toFillSql(schema, rows));
  });

  afterAll(async () => {
    await database.drop();
  });

  it('answered questions return exactly the rows of their expected SQL', async () => {
    const wrong: string[] = [];
    let right = 0;
    for (const [question, gold] of questions) {
      const outcome = answerQuestion({ question, today: '2026-11-21' }, lexicon);
      if (outcome.kind !== 'answer') continue;
      const own = fillParams(outcome.sql, outcome.params);
      await database.run([SET_MODE, toComparison(gold, own)]).then(
        () => {
          right += 1;
        },
        (err: unknown) => {
          wrong.push(`${question}: ${own} (${String(err)})`);
        },
      );
    }
    expect(wrong).toEqual([]);
    expect((100 * right) / questions.length).toBeGreaterThanOrEqual(RIGHT_MIN_PERCENT);
  });
});

import { nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { readShop, SHOP_LEXICON } from '../../../test/shop-lexicon.js';
import { answerQuestion } from '../../answer-question.js';
import { buildLexicon } from '../../lexicon/build-lexicon.js';

it.each<readonly [string, string, readonly number[]]>([
  ['total of orders', 'SELECT SUM(t1.`total`) AS `sum_total` FROM `orders` AS t1', []],
  ['average order', 'SELECT AVG(t1.`total`) AS `avg_total` FROM `orders` AS t1', []],
  ['orders above 50', 'SELECT t1.`id` FROM `orders` AS t1 WHERE t1.`total` > ?', [50]],
  ['products under 20', 'SELECT t1.`name` FROM `products` AS t1 WHERE t1.`price` < ?', [20]],
  ['total orders', 'SELECT COUNT(*) AS `count` FROM `orders` AS t1', []],
  ['total products', 'SELECT COUNT(*) AS `count` FROM `products` AS t1', []],
])('the question "%s" becomes its expected statement', (question, sql, params) => {
  expect(readShop(question)[0]).toMatchObject({ sql, params });
});

it('"total" with a table that has an amount column gives two statements, a count and a sum', () => {
  const fines = rawTable('fines', [
    rawColumn('id', 'int(11)'),
    rawColumn('amount', 'decimal(6,2)'),
    rawColumn('issued_on', 'date'),
  ]);
  const outcome = answerQuestion(
    { question: 'total fines', today: '2026-11-21' },
    buildLexicon({
      snapshot: nameSnapshot({ engine: 'mariadb', tables: [fines] }, null),
      values: [],
      synonyms: [],
    }),
  );
  expect(
    outcome.kind === 'ambiguous' ? outcome.choices.map(({ sql }) => sql.slice(0, 11)) : outcome.kind,
  ).toEqual(['SELECT SUM(', 'SELECT COUN']);
});

it.each(['average product', 'highest product', 'orders above 2000'])(
  'answerQuestion refuses a question for a total without an amount column: %s',
  (question) => {
    expect(answerQuestion({ question, today: '2026-11-21' }, SHOP_LEXICON).kind).toBe('refused');
  },
);

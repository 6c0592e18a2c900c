import { nameSnapshot } from '@rowhouse/schema-model';
import { EXAMPLE_SCHEMA } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { readShop, SHOP_LEXICON } from '../../test/shop-lexicon.js';
import { answerQuestion } from '../answer-question.js';
import { buildLexicon } from '../lexicon/build-lexicon.js';
import { listKeyColumns } from './shown-labels.js';

it('returnsLabelOf is false when another column of the grouped rows is returned', () => {
  expect(readShop('the number of orders of each customer')[0]?.sql).toMatch(
    /^SELECT t\d\.`first_name`, t\d\.`last_name`, COUNT/,
  );
  expect(readShop('for each customer, the email and the number of orders')[0]?.sql).toMatch(
    /^SELECT t\d\.`email`, COUNT/,
  );
});

const lexicon = buildLexicon({
  snapshot: nameSnapshot(EXAMPLE_SCHEMA, null),
  values: [
    { table: 'users', column: 'username', values: ['ada'] },
    { table: 'tags', column: 'name', values: ['typescript'] },
  ],
  synonyms: [],
});

it.each([
  ['users named ada', 'SELECT t1.* FROM `users` AS t1 WHERE t1.`username` = ?', ['ada']],
  ['the tag named typescript', 'SELECT t1.* FROM `tags` AS t1 WHERE t1.`name` = ?', ['typescript']],
  ['users whose username is ada', 'SELECT t1.* FROM `users` AS t1 WHERE t1.`username` = ?', ['ada']],
  [
    'posts by ada',
    'SELECT t1.`title` FROM `posts` AS t1 JOIN `users` AS t2 ON t2.`id` = t1.`user_id` WHERE t2.`username` = ?',
    ['ada'],
  ],
  [
    'how many users are named ada',
    'SELECT COUNT(*) AS `count` FROM `users` AS t1 WHERE t1.`username` = ?',
    ['ada'],
  ],
  [
    'users whose username starts with a',
    'SELECT t1.`username` FROM `users` AS t1 WHERE t1.`username` LIKE ?',
    ['a%'],
  ],
])('the question "%s" returns all columns', (question, sql, params) => {
  expect(answerQuestion({ question, today: '2026-11-21' }, lexicon)).toMatchObject({
    kind: 'answer',
    sql,
    params,
  });
});

it('the label of grouped rows is omitted when their key is returned', () => {
  expect(readShop('category ids and the number of products in each category')[0]?.sql).toMatch(
    /^SELECT t\d\.`(?:category_id|id)`, COUNT/,
  );
  expect(readShop('the number of products in each category')[0]?.sql).toMatch(/^SELECT t\d\.`name`, COUNT/);
});

it('listKeyColumns returns the single-column foreign keys to another table', () => {
  const find = (name: string): (typeof SHOP_LEXICON.snapshot.tables)[number] => {
    const table = SHOP_LEXICON.snapshot.tables.find((table) => table.name === name);
    if (table === undefined) throw new Error(name);
    return table;
  };
  expect(listKeyColumns(find('products'), find('categories')).map((column) => column.name)).toEqual([
    'category_id',
  ]);
  expect(listKeyColumns(find('categories'), find('products'))).toEqual([]);
});

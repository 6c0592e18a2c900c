import { nameSnapshot } from '@rowhouse/schema-model';
import { EXAMPLE_SCHEMA } from '@rowhouse/schema-model/testing';
import { expect, it } from 'vitest';
import { answerQuestion } from '../answer-question.js';
import { buildLexicon } from '../lexicon/build-lexicon.js';

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
])('the question "%s" shows all columns', (question, sql, params) => {
  expect(answerQuestion({ question, today: '2026-11-21' }, lexicon)).toMatchObject({
    kind: 'answer',
    sql,
    params,
  });
});

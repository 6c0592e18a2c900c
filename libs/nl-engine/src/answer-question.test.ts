import { nameSnapshot } from '@rowhouse/schema-model';
import { EXAMPLE_SCHEMA } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { answerQuestion, suggestQuestions, type Outcome } from './answer-question.js';
import { buildLexicon } from './lexicon/build-lexicon.js';

const lexicon = buildLexicon({
  snapshot: nameSnapshot(EXAMPLE_SCHEMA, null),
  values: [
    { table: 'tags', column: 'name', values: ['typescript', 'databases'] },
    { table: 'users', column: 'username', values: ['ada', 'boris'] },
  ],
  synonyms: [],
});
const sendRequest = (question: string): Outcome => answerQuestion({ question, today: '2026-11-21' }, lexicon);

/** Each case is a question, the expected SQL statement and its parameters. */
const CASES: readonly (readonly [string, string, readonly (string | number)[]])[] = [
  ['How many users are there?', 'SELECT COUNT(*) AS `count` FROM `users` AS t1', []],
  ['how many posts do we have', 'SELECT COUNT(*) AS `count` FROM `posts` AS t1', []],
  [
    'number of published posts',
    'SELECT COUNT(*) AS `count` FROM `posts` AS t1 WHERE t1.`published` = ?',
    [1],
  ],
  [
    'How many unpublished posts are there?',
    'SELECT COUNT(*) AS `count` FROM `posts` AS t1 WHERE t1.`published` = ?',
    [0],
  ],
  [
    'posts without comments',
    'SELECT t1.`title` FROM `posts` AS t1 WHERE NOT EXISTS (SELECT 1 FROM `comments` AS t2 WHERE t2.`post_id` = t1.`id`)',
    [],
  ],
  [
    'users who never posted',
    'SELECT t1.`username` FROM `users` AS t1 WHERE NOT EXISTS (SELECT 1 FROM `posts` AS t2 WHERE t2.`user_id` = t1.`id`)',
    [],
  ],
  [
    'usernames of users who have more than 3 posts',
    'SELECT t1.`username` FROM `users` AS t1 WHERE ((SELECT COUNT(*) FROM `posts` AS t2 WHERE t2.`user_id` = t1.`id`) > 3)',
    [],
  ],
  [
    'titles of posts tagged typescript',
    'SELECT t1.`title` FROM `posts` AS t1 WHERE EXISTS (SELECT 1 FROM `post_tags` AS t2 JOIN `tags` AS t3 ON t3.`id` = t2.`tag_id` WHERE t2.`post_id` = t1.`id` AND t3.`name` = ?)',
    ['typescript'],
  ],
  [
    'How many comments does each user have?',
    'SELECT t2.`username`, COUNT(*) AS `count` FROM `comments` AS t1 JOIN `users` AS t2 ON t2.`id` = t1.`user_id` GROUP BY t2.`id`, t2.`username`',
    [],
  ],
  [
    'number of posts per user',
    'SELECT t2.`username`, COUNT(*) AS `count` FROM `posts` AS t1 JOIN `users` AS t2 ON t2.`id` = t1.`user_id` GROUP BY t2.`id`, t2.`username`',
    [],
  ],
  [
    'the email of the user with the most posts',
    'SELECT t1.`email` FROM `users` AS t1 WHERE EXISTS (SELECT 1 FROM `posts` AS t2 WHERE t2.`user_id` = t1.`id`) ORDER BY (SELECT COUNT(*) FROM `posts` AS t3 WHERE t3.`user_id` = t1.`id`) DESC, t1.`id` LIMIT 1',
    [],
  ],
  [
    'How many posts were created last month?',
    'SELECT COUNT(*) AS `count` FROM `posts` AS t1 WHERE t1.`created_at` >= ? AND t1.`created_at` < ?',
    ['2026-10-01', '2026-11-01'],
  ],
  [
    'list the titles of posts in alphabetical order',
    'SELECT t1.`title` FROM `posts` AS t1 ORDER BY t1.`title`',
    [],
  ],
  [
    'who commented most last month?',
    'SELECT t1.`username` FROM `users` AS t1 WHERE EXISTS (SELECT 1 FROM `comments` AS t2 WHERE t2.`user_id` = t1.`id` AND t2.`created_at` >= ? AND t2.`created_at` < ?) ORDER BY (SELECT COUNT(*) FROM `comments` AS t3 WHERE t3.`user_id` = t1.`id` AND t3.`created_at` >= ? AND t3.`created_at` < ?) DESC, t1.`id` LIMIT 1',
    ['2026-10-01', '2026-11-01', '2026-10-01', '2026-11-01'],
  ],
  [
    'how many posts are there by user?',
    'SELECT t2.`username`, COUNT(*) AS `count` FROM `posts` AS t1 JOIN `users` AS t2 ON t2.`id` = t1.`user_id` GROUP BY t2.`id`, t2.`username`',
    [],
  ],
  [
    'average comments per published post by user',
    'SELECT t2.`username`, AVG((SELECT COUNT(*) FROM `comments` AS t3 WHERE t3.`post_id` = t1.`id`)) AS `avg_count` FROM `posts` AS t1 JOIN `users` AS t2 ON t2.`id` = t1.`user_id` WHERE t1.`published` = ? GROUP BY t2.`id`, t2.`username`',
    [1],
  ],
  [
    'the latest post',
    'SELECT t1.`title` FROM `posts` AS t1 ORDER BY t1.`created_at` DESC, t1.`id` LIMIT 1',
    [],
  ],
  [
    'emails of users whose username starts with "a"',
    'SELECT t1.`email` FROM `users` AS t1 WHERE t1.`username` LIKE ?',
    ['a%'],
  ],
];

describe('answerQuestion', () => {
  it.each(CASES)(
    'answerQuestion translates the question "%s" to its expected statement',
    (question, sql, params) => {
      const outcome = sendRequest(question);
      expect(outcome).toMatchObject({ kind: 'answer', sql, params });
    },
  );

  it('answerQuestion answers every question that suggestQuestions returns', () => {
    const questions = suggestQuestions(lexicon, '2026-11-21');
    // The table of comments has no name column, only an id. A list of ids is not a useful sample question.
    expect(questions.filter((question) => question.startsWith('List'))).not.toContain(
      'List the id of all comments',
    );
    expect(questions).toHaveLength(3);
    for (const question of questions) expect(sendRequest(question)).toMatchObject({ kind: 'answer' });
    expect(
      suggestQuestions(
        buildLexicon({
          snapshot: nameSnapshot({ ...EXAMPLE_SCHEMA, tables: [] }, null),
          values: [],
          synonyms: [],
        }),
        '2026-11-21',
      ),
    ).toEqual([]);
  });

  it('answerQuestion refuses a question with unknown words and lists these words', () => {
    const outcome = sendRequest('How many invoices were paid by giraffes?');
    expect(outcome).toMatchObject({ kind: 'refused', unknown: ['invoices', 'giraffes'] });
    const samples = outcome.kind === 'refused' ? outcome.samples : [];
    expect(samples).toHaveLength(3);
    for (const sample of samples) expect(sendRequest(sample).kind).toBe('answer');
  });

  it('answerQuestion refuses a question whose words match thousands of columns', () => {
    const nearestOf = (before: number): readonly string[] => {
      const outcome = sendRequest(
        `${Array.from({ length: before }, (_, index) => `zzq${String.fromCharCode(97 + index)}wkv`).join(' and ')} and emalis`,
      );
      return outcome.kind === 'refused' && outcome.unknown.length === before + 1
        ? outcome.nearest
        : ['another outcome'];
    };
    expect([nearestOf(3), nearestOf(24)]).toEqual([['users.email'], []]);
  });

  it('an answer to a question lists the assumptions about columns, labels and periods', () => {
    const outcome = sendRequest('How many posts were created last month?');
    expect(outcome).toMatchObject({
      explanation: 'The number of posts, where posts.created_at is from 2026-10-01 and before 2026-11-01.',
      assumptions: ['posts.created_at is from 2026-10-01 and before 2026-11-01'],
    });
  });

  it('an answer lists its tie breaker, and each choice of an ambiguous question its joined tables', () => {
    expect(sendRequest('the latest post')).toMatchObject({
      assumptions: expect.arrayContaining(['equal rows are sorted by the lowest posts.id']),
    });
    const outcome = sendRequest('posts by user');
    const messages =
      outcome.kind === 'ambiguous' ? outcome.choices.map(({ explanation }) => explanation) : [];
    expect(messages.toSorted()).toEqual([
      'Posts (title), with users (over comments).',
      'Posts (title), with users.',
    ]);
  });

  it('asking the same question twice returns equal outcomes', () => {
    expect(sendRequest('number of posts per user')).toEqual(sendRequest('number of posts per user'));
  });
});

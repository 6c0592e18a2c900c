import { nameSnapshot, type RawSchema } from '@rowhouse/schema-model';
import { EXAMPLE_SCHEMA, foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { BLOG_QUESTIONS } from '../test/blog-questions.js';
import { listColumnValues } from '../test/list-column-values.js';
import { BLOG_ROWS, SHOP_ROWS, type TableRows } from '../test/own-rows.js';
import { SHOP_SCHEMA } from '../test/own-schemas.js';
import { SHOP_QUESTIONS } from '../test/shop-questions.js';
import { UNANSWERABLE_ON_BLOG, UNANSWERABLE_ON_SHOP } from '../test/unanswerable-questions.js';
import { answerQuestion, type Outcome } from './answer-question.js';
import { buildLexicon } from './lexicon/build-lexicon.js';
import { type Lexicon } from './lexicon/lexicon.js';

const sendRequest = (question: string, lexicon: Lexicon): Outcome =>
  answerQuestion({ question, today: '2026-11-21' }, lexicon);
const toLexicon = (schema: RawSchema, rows: readonly TableRows[]): Lexicon => {
  const snapshot = nameSnapshot(schema, null);
  return buildLexicon({ snapshot, values: listColumnValues(snapshot, rows), synonyms: [] });
};
const sqlOf = (outcome: Outcome): string | null =>
  outcome.kind === 'answer' ? `${outcome.sql} ${JSON.stringify(outcome.params)}` : null;
const [blog, shop] = [toLexicon(EXAMPLE_SCHEMA, BLOG_ROWS), toLexicon(SHOP_SCHEMA, SHOP_ROWS)];

describe('questions that a schema cannot answer', () => {
  it('answerQuestion refuses all 100 unanswerable questions', () => {
    expect([...UNANSWERABLE_ON_BLOG, ...UNANSWERABLE_ON_SHOP]).toHaveLength(100);
    expect(UNANSWERABLE_ON_BLOG.filter((question) => sendRequest(question, blog).kind === 'answer')).toEqual(
      [],
    );
    expect(UNANSWERABLE_ON_SHOP.filter((question) => sendRequest(question, shop).kind === 'answer')).toEqual(
      [],
    );
  });

  it('answerQuestion refuses all questions about another schema', () => {
    expect(BLOG_QUESTIONS.filter(([question]) => sendRequest(question, shop).kind === 'answer')).toEqual([]);
    expect(SHOP_QUESTIONS.filter(([question]) => sendRequest(question, blog).kind === 'answer')).toEqual([]);
  });
});

describe('stock levels', () => {
  it.each([
    ['which products are out of stock?', '<='],
    ['out of stock products', '<='],
    ['products in stock', '>'],
  ])('the question "%s" becomes its expected statement', (question, op) => {
    expect(sendRequest(question, shop)).toMatchObject({
      kind: 'answer',
      sql: `SELECT t1.\`name\` FROM \`products\` AS t1 WHERE t1.\`stock\` ${op} ?`,
      params: [0],
    });
  });
});

/**
 * Maps every table and column of the example schema to another name. Columns with a label keep the name
 * `name`.
 */
const RENAMED: Readonly<Record<string, string>> = {
  post_tags: 'gadget_badges',
  users: 'pilots',
  posts: 'gadgets',
  comments: 'quibbles',
  tags: 'badges',
  post_id: 'gadget_id',
  tag_id: 'badge_id',
  user_id: 'pilot_id',
  username: 'pilotname',
  title: 'name',
  email: 'beacon',
  bio: 'crest',
  published: 'certified',
  content: 'cargo',
  description: 'remark',
};
const WORDS: Readonly<Record<string, string>> = {
  users: 'pilots',
  user: 'pilot',
  posts: 'gadgets',
  post: 'gadget',
  comments: 'quibbles',
  comment: 'quibble',
  tags: 'badges',
  tag: 'badge',
  usernames: 'pilotnames',
  username: 'pilotname',
  titles: 'names',
  title: 'name',
  emails: 'beacons',
  email: 'beacon',
  bio: 'crest',
  published: 'certified',
  unpublished: 'uncertified',
  descriptions: 'remarks',
};

describe('a schema with other names', () => {
  const rename = (name: string): string => RENAMED[name] ?? name;
  const schema: RawSchema = {
    ...EXAMPLE_SCHEMA,
    tables: EXAMPLE_SCHEMA.tables.map((table) =>
      rawTable(
        rename(table.name),
        table.columns.map((column) => ({ ...column, name: rename(column.name) })),
        {
          primaryKey: table.primaryKey?.map(rename) ?? null,
          foreignKeys: table.foreignKeys.map((key) =>
            foreignKey(rename(table.name), key.columns.map(rename), rename(key.referencedTable)),
          ),
        },
      ),
    ),
  };
  const renamed = toLexicon(
    schema,
    BLOG_ROWS.map((rows) => ({ ...rows, table: rename(rows.table), columns: rows.columns.map(rename) })),
  );
  // Skips questions in which a verb is a form of a table's name, because the renamed table has no such verb.
  const questions = BLOG_QUESTIONS.map(([question]) => question).filter(
    (question) => !/commented|posted|tagged|wrote|write|written/.test(question),
  );

  it('a schema with renamed tables gives the same statements for questions in its own words', () => {
    const differing = questions.filter((question) => {
      const outcome = sendRequest(question, blog);
      const own = sendRequest(
        question.replace(/\w+/g, (word) => WORDS[word] ?? word),
        renamed,
      );
      if (outcome.kind !== 'answer' || own.kind !== 'answer') return outcome.kind !== own.kind;
      return outcome.sql.replace(/`(\w+)`/g, (_, name: string) => `\`${rename(name)}\``) !== own.sql;
    });
    expect(questions.length).toBeGreaterThan(50);
    expect(differing).toEqual([]);
  });
});

/**
 * A schema with the same names but another structure. Tags are a column of posts, comments have no user, and
 * a post is published if it has a date of publication.
 */
const OTHER_BLOG: RawSchema = {
  engine: 'mariadb',
  tables: [
    rawTable('users', [
      rawColumn('id', 'int(11)'),
      rawColumn('username', 'varchar(50)'),
      rawColumn('comments', 'int(11)'),
      rawColumn('joined_on', 'date'),
    ]),
    rawTable(
      'posts',
      [
        rawColumn('id', 'int(11)'),
        rawColumn('title', 'varchar(255)'),
        rawColumn('tag', 'varchar(50)'),
        rawColumn('published', 'date'),
        rawColumn('editor_id', 'int(11)'),
      ],
      { foreignKeys: [foreignKey('posts', 'editor_id', 'users')] },
    ),
  ],
};

describe('the same sentence over another schema', () => {
  const other = toLexicon(OTHER_BLOG, [
    { table: 'posts', columns: ['tag'], rows: [['typescript'], ['databases']] },
    { table: 'users', columns: ['username'], rows: [['ada'], ['boris']] },
  ]);
  const known = new Set(
    OTHER_BLOG.tables.flatMap((table) => [table.name, ...table.columns.map((column) => column.name)]),
  );

  it('a question over another schema gives a different statement or none', () => {
    const both = BLOG_QUESTIONS.map(([question]) => ({
      question,
      here: sqlOf(sendRequest(question, blog)),
      there: sqlOf(sendRequest(question, other)),
    }));
    const foreign = both.filter(({ there }) =>
      [...(there ?? '').matchAll(/t\d+\.`(\w+)`|(?:FROM|JOIN) `(\w+)`/g)].some(
        (match) => !known.has(match[1] ?? match[2] ?? ''),
      ),
    );
    expect(foreign).toEqual([]);
    expect(both.filter(({ here, there }) => here !== null && here !== there).length).toBeGreaterThanOrEqual(
      50,
    );
  });

  it.each([
    ['titles of posts tagged typescript', 'SELECT t1.`title` FROM `posts` AS t1 WHERE t1.`tag` = ?'],
    [
      'which user has the most comments?',
      'SELECT t1.`username` FROM `users` AS t1 ORDER BY t1.`comments` DESC, t1.`id` LIMIT 1',
    ],
    [
      'users who joined in 2025',
      'SELECT t1.`username` FROM `users` AS t1 WHERE t1.`joined_on` >= ? AND t1.`joined_on` < ?',
    ],
  ])('the question "%s" has its own outcome over another schema', (question, sql) => {
    expect(sendRequest(question, other)).toMatchObject({ kind: 'answer', sql });
  });
});

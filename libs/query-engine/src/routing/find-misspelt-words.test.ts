import { describe, expect, it } from 'vitest';
import { guardQuery } from '../guard/guard-query.js';
import { explainMisspelling } from './find-misspelt-words.js';
import { routeQuery } from './route-query.js';
import type { RouteSchema } from '../types.js';

const SCHEMA: RouteSchema = {
  tables: [
    { name: 'users', columns: ['id', 'username', 'limits'] },
    { name: 'posts', columns: ['id', 'title', 'user_id'] },
    { name: 'selectors', columns: ['id', 'wheel_form'] },
  ],
};

/** Returns the misspelled words as `line:column KEYWORDS`. For other texts, returns the kind of the text. */
function read(text: string): string {
  const route = routeQuery(text, SCHEMA);
  if (route.kind !== 'invalid') return route.kind;
  const { line, column, suggestions } = route.error.extra as {
    line: number;
    column: number;
    suggestions?: string[];
  };
  return suggestions === undefined ? 'invalid' : `${line}:${column} ${suggestions.join(' ')}`;
}

describe('findMisspeltWords', () => {
  it.each([
    ['SELEC 1', '1:1 SELECT'],
    ['SELCT * FROM posts', '1:1 SELECT'],
    ['slect title from posts', '1:1 SELECT'],
    ['SELECTT id FROM posts', '1:1 SELECT'],
    ['ALTER TABEL posts ADD COLUMN x int', '1:7 TABLE'],
    ['ALTR TABEL posts DROP COLUMN x', '1:1 ALTER TABLE'],
    ['select id form posts', '1:11 FROM'],
    ['SELECT id\nFROM posts\nWHER id = 1', '3:1 WHERE'],
    ['SELECT id FROM posts ORDR BY id LIMTI 5', '1:22 ORDER LIMIT'],
    ['SELECT title FROM posts JION users ON users.id = posts.user_id', '1:25 JOIN'],
    ['UPDAET posts SET title = 1 WHERE id = 1', '1:1 UPDATE'],
    ['DELETE FORM posts WHERE id = 1', '1:8 FROM'],
    ['INSRT INTO posts (title) VALUES (1)', '1:1 INSERT'],
    ['CREAT TABLE x (id int)', '1:1 CREATE'],
    ['DORP TABLE posts', '1:1 DROP'],
    ['SHWO TABLES', '1:1 SHOW'],
  ])('findMisspeltWords returns the misspelled keyword with its position: %s', (text, message) =>
    expect(read(text)).toBe(message),
  );

  it.each([
    'selec users',
    'selected posts from users',
    'deleted from posts',
    'show tables with users in them',
    'shop tables',
    'how tables',
    'updated posts today',
    'select users form Berlin',
    'inserted into posts yesterday',
    'which posts have a form',
    'alert tables',
    'selectors with form',
  ])('findMisspeltWords finds no misspelled keyword in the question: %s', (text) =>
    expect(read(text)).toBe('question'),
  );

  it('findMisspeltWords ignores names of the schema and corrections that do not help', () => {
    expect(read('SELECT limits FROM users')).toBe('sql');
    expect(read('SELECT wheel_form FROM selectors')).toBe('sql');
    expect(read('SELECT id FROM posts WHERE (id = 1')).toBe('invalid');
    expect(read('SELECT form FROM posts')).toBe('sql');
  });

  it('guardQuery rejects a text with a misspelled keyword', () => {
    const options = { tables: ['users', 'posts'], hiddenNames: [], schemaName: 'p1' };
    const isSql = (sql: string): boolean => guardQuery(sql, options).kind === 'select';
    const fault = (sql: string): unknown => {
      try {
        guardQuery(sql, options);
      } catch (error) {
        return explainMisspelling(error, sql, SCHEMA, isSql);
      }
      return null;
    };
    expect(fault('SELEC title FROM posts')).toMatchObject({
      code: 'query.invalid_sql',
      extra: { line: 1, column: 1, suggestions: ['SELECT'] },
    });
    expect(fault('SELECT * FROM secrets')).toMatchObject({ code: 'query.unknown_table' });
  });

  it('normaliseQuery processes a long text in linear time', () => {
    expect(read(`SELEC ${'id, '.repeat(2_000)}id FROM posts`)).toBe('question');
  });
});

import { guardQuery, type GuardedRead, type GuardedWrite } from '@rowhouse/query-engine';
import { describe, expect, it } from 'vitest';
import { compileBlog, explainWith, tenantWith } from '../../../test/cost-stage.js';
import { admitQuery } from './admit-query.js';
import type { CostedStatement } from './query-costs.js';

const TABLES = ['posts', 'users'];
const compiled = compileBlog();
const tenant = tenantWith();
const { run } = explainWith(() => []);

function guard(text: string): GuardedRead | GuardedWrite {
  return guardQuery(text, { tables: TABLES, hiddenNames: [], schemaName: 'p1', write: { writable: TABLES, deletable: TABLES, hasReturning: true } }) as GuardedRead | GuardedWrite;
}

/** What is asked about of a text, on the session that it will run on; null: nothing. */
async function ask(text: string): Promise<CostedStatement | null> {
  const asked: CostedStatement[] = [];
  const costs = {
    budgetOf: () => 0, isCheap: () => false,
    admit: async (of: unknown, statement: CostedStatement, on: unknown) => {
      expect([of, on]).toEqual([tenant, run]);
      asked.push(statement);
    },
  };
  await admitQuery({ costs }, tenant, guard(text), compiled, run);
  return asked[0] ?? null;
}

describe('a text of a user', () => {
  it.each([
    'SELECT * FROM posts', 'UPDATE posts SET published = 1 WHERE title = 5', 'DELETE FROM posts WHERE title = 5', 'INSERT INTO posts (title) SELECT username FROM users',
  ])('is asked about: %s', async (text) => {
    expect((await ask(text))?.sql).toContain(text);
  });

  it.each(['EXPLAIN SELECT * FROM posts', "INSERT INTO posts (title) VALUES ('x')"])('looks at no rows: %s', async (text) => {
    expect(await ask(text)).toBeNull();
  });

  it('is one shape whatever its values are, and goes out as it is found where it is plain', async () => {
    const [one, other, counted] = [await ask('SELECT * FROM posts WHERE id = 5'), await ask('SELECT * FROM posts WHERE id = 6'), await ask('SELECT COUNT(*) FROM posts')];
    expect(one?.shape).toBe(other?.shape);
    expect([one?.isPlain(), counted?.isPlain(), (await ask('DELETE FROM posts WHERE title = 5'))?.isPlain()]).toEqual([true, false, false]);
  });

  it('knows its tables by the names that it gives them', async () => {
    const statement = await ask('SELECT p.id FROM posts p JOIN users ON users.id = p.user_id');
    expect(['p', 'users', 'x'].map((alias) => statement?.tableOf(alias)?.name ?? null)).toEqual(['posts', 'users', null]);
  });

  it.each([
    ['SELECT * FROM posts p WHERE p.published = 1 AND p.created_at > 5 ORDER BY p.title', 'CREATE INDEX `posts_published_created_at` ON `posts` (`published`, `created_at`)'],
    ['SELECT * FROM posts p WHERE p.published = 1 ORDER BY p.title', 'CREATE INDEX `posts_published_title` ON `posts` (`published`, `title`)'],
    ['SELECT * FROM posts p WHERE p.id = 1 AND p.published = 1', null],
    ['SELECT * FROM posts p WHERE p.content = 1', null],
    ['SELECT * FROM posts p ORDER BY p.title', null],
  ])('is helped by an index: %s', async (text, index) => {
    const statement = await ask(text);
    expect([statement?.proposeIndex('p'), statement?.proposeIndex('unknown')]).toEqual([index, null]);
  });
});

import { describe, expect, it } from 'vitest';
import { PROJECT, run, type Answers } from '../testing/run.js';

const PATH = '/api/projects/prj_1/synonyms';
const ARTICLE = {
  id: 'syn_1',
  phrase: 'article',
  table: 'posts',
  column: null,
  is_known: true,
  created_at: '2026-01-01T00:00:00Z',
};
const having = (items: readonly unknown[], more: Answers = {}): Answers => ({
  'GET /api/projects': { body: { items: [PROJECT] } },
  [`GET ${PATH}`]: { body: { items } },
  ...more,
});

describe('rowhouse synonyms', () => {
  it('rowhouse synonyms lists synonyms or explains how to add the first one', async () => {
    expect(await run(['synonyms', 'list'], having([ARTICLE]))).toMatchObject({
      code: 0,
      out: expect.stringMatching(/article +posts/),
    });
    expect(await run(['synonyms', 'list'], having([]))).toMatchObject({
      code: 0,
      err: expect.stringContaining('synonyms set'),
    });
  });

  it('rowhouse synonyms adds or changes a synonym and skips an unchanged one', async () => {
    const created = { body: { ...ARTICLE, phrase: 'pen name', table: 'users', column: 'username' } };
    expect(
      await run(['synonyms', 'set', 'pen name', 'users.username'], having([], { [`POST ${PATH}`]: created })),
    ).toMatchObject({ code: 0, err: expect.stringContaining('users.username') });
    expect(
      await run(
        ['synonyms', 'set', ' Article ', 'users'],
        having([ARTICLE], { [`PATCH ${PATH}/syn_1`]: { body: { ...ARTICLE, table: 'users' } } }),
      ),
    ).toMatchObject({ code: 0, err: expect.stringContaining('means users') });
    expect(await run(['synonyms', 'set', 'article', 'posts'], having([ARTICLE]))).toMatchObject({ code: 0 });
    const two = [ARTICLE, { ...ARTICLE, id: 'syn_2', table: 'notes' }];
    expect(await run(['synonyms', 'set', 'article', 'users'], having(two))).toMatchObject({
      code: 1,
      err: expect.stringContaining('--also'),
    });
  });

  it('rowhouse synonyms removes a synonym by its words or its id', async () => {
    const responses = having([ARTICLE], { [`DELETE ${PATH}/syn_1`]: { body: {} } });
    for (const words of ['article', 'syn_1'])
      expect(JSON.parse((await run(['synonyms', 'remove', words, '--json'], responses)).out)).toMatchObject({
        removed: [{ id: 'syn_1' }],
      });
    expect(await run(['synonyms', 'remove', 'nothing'], responses)).toMatchObject({
      code: 1,
      err: expect.stringContaining('synonyms list'),
    });
  });
});

import { describe, expect, it } from 'vitest';
import { plan, rejection, run, type FakeDatabase } from '../../../test/blog.js';

const rows =
  (...provided: (string | number | null)[][]): FakeDatabase =>
  () => ({ rows: provided });
const cursorOf = (endpoint: string, answer: FakeDatabase): string =>
  run(endpoint, answer).response.headers['X-Next-Cursor'] ?? '';

describe('cursors', () => {
  it('cursors of a list lead from the start to the next page and back', () => {
    const first = run('GET /tags?_cursor=&limit=2&_select=name', rows(['a', 1], ['b', 2], ['c', 3]));
    expect(first.statements[0]?.sql).toBe('SELECT `name`, `id` FROM `tags` ORDER BY `id` ASC LIMIT ?');
    expect(first.response.body).toBe('[{"name":"a"},{"name":"b"}]');
    const next = first.response.headers['X-Next-Cursor'] ?? '';
    expect(first.response.headers['Link']).toBe(
      `</v1/-/tags?limit=2&_select=name&_cursor=${next}>; rel="next"`,
    );
    const second = run(`GET /tags?_cursor=${next}&limit=2&_select=name`, rows(['c', 3]));
    expect(second.statements[0]).toMatchObject({
      sql: 'SELECT `name`, `id` FROM `tags` WHERE ((`id` > ?)) ORDER BY `id` ASC LIMIT ?',
      params: ['2', '3'],
    });
    expect(second.response.headers).toMatchObject({ 'X-Has-More': 'false' });
    expect(second.response.headers['X-Next-Cursor']).toBeUndefined();
    const previous = /_cursor=([^>]+)>; rel="prev"/.exec(second.response.headers['Link'] ?? '')?.[1] ?? '';
    const back = run(`GET /tags?_cursor=${previous}&limit=2&_select=name`, rows(['b', 2], ['a', 1]));
    expect(back.statements[0]).toMatchObject({
      sql: 'SELECT `name`, `id` FROM `tags` WHERE ((`id` < ?)) ORDER BY `id` DESC LIMIT ?',
      params: ['3', '3'],
    });
    expect(back.response.body).toBe('[{"name":"a"},{"name":"b"}]');
    expect(back.response.headers['Link']).toContain('rel="next"');
    expect(back.response.headers['Link']).not.toContain('rel="prev"');
  });

  it('a cursor continues after NULL, in both directions and by columns of joined tables', () => {
    const from = (query: string, cells: (string | number | null)[], table = 'types'): string => {
      const endpoint = `GET /${table}?_select=id&limit=1&${query}`;
      const next = cursorOf(`${endpoint}&_cursor=`, rows(cells, cells));
      const { sql, params } = run(`${endpoint}&_cursor=${next}`, rows()).statements[0] ?? {
        sql: '',
        params: [],
      };
      return `${/ WHERE (.*) ORDER BY/.exec(sql)?.[1] ?? ''} ${JSON.stringify(params)}`;
    };
    expect(from('sort=name', [1, 'x'])).toBe('((`name` > ?) OR (`name` = ? AND `id` > ?)) ["x","x","1","2"]');
    expect(from('sort=name', [1, null])).toBe(
      '((`name` IS NOT NULL) OR (`name` IS NULL AND `id` > ?)) ["1","2"]',
    );
    expect(from('sort=-name', [1, 'x'])).toBe(
      '(((`name` < ? OR `name` IS NULL)) OR (`name` = ? AND `id` < ?)) ["x","x","1","2"]',
    );
    expect(from('sort=-name,id', [1, null])).toBe('((`name` IS NULL AND `id` > ?)) ["1","2"]');
    expect(from('sort=name:nulls_last', [1, 'x'])).toBe(
      '(((`name` > ? OR `name` IS NULL)) OR (`name` = ? AND `id` > ?)) ["x","x","1","2"]',
    );
    expect(from('sort=name:nulls_last', [1, null])).toBe('((`name` IS NULL AND `id` > ?)) ["1","2"]');
    expect(from('sort=-name:nulls_first', [1, 'x'])).toBe(
      '((`name` < ?) OR (`name` = ? AND `id` < ?)) ["x","x","1","2"]',
    );
    expect(from('sort=-name:nulls_first', [1, null])).toBe(
      '((`name` IS NOT NULL) OR (`name` IS NULL AND `id` < ?)) ["1","2"]',
    );
    expect(from('sort=state', [1, 'old'])).toBe(
      '((CAST(`state` AS UNSIGNED) > CAST(? AS DECIMAL(20,0))) OR (CAST(`state` AS UNSIGNED) = CAST(? AS DECIMAL(20,0)) AND `id` > ?)) ["2","2","1","2"]',
    );
    expect(from('sort=marks', [1, 'a,c'])).toContain('["5","5","1","2"]');
    expect(from('sort=price', [1, '1.5'])).toContain('`price` > CAST(? AS DECIMAL(65,2))');
    expect(from('sort=user.username&title=x', [1, 'ann'], 'posts')).toBe(
      't.`title` = ? AND ((s1.`username` > ?) OR (s1.`username` = ? AND t.`id` > ?)) ["x","ann","ann","1","2"]',
    );
    expect(from('sort=name', [1, 'ß\u{1f600}'])).toContain('"ß\u{1f600}"');
  });

  it('a cursor is valid for one table, one sort and one set of filters', () => {
    const next = cursorOf('GET /tags?_cursor=&limit=1&name__ne=x', rows([1, 'a', null], [2, 'b', null]));
    expect(rejection(`GET /tags?_cursor=${next}&limit=5&name__ne=x&_select=name`)).toBe('accepted');
    for (const other of [
      `tags?_cursor=${next}`,
      `tags?_cursor=${next}&name__ne=y`,
      `tags?_cursor=${next}&name__ne=x&sort=-id`,
      `tags?_cursor=${next}&name__ne=x&sort=id:nulls_last`,
      `users?_cursor=${next}`,
      `tags?_cursor=${next}x&name__ne=x`,
      `tags?_cursor=x${next}&name__ne=x`,
      'tags?_cursor=x',
      'tags?_cursor=.',
      `tags?_cursor=${'x'.repeat(9000)}.y`,
    ]) {
      expect(rejection(`GET /${other}`)).toContain('["query","_cursor"] cursor');
    }
  });

  it.each([
    'tags?_cursor=&page=1',
    'tags?_cursor=&_offset=1',
    'types?_cursor=&sort=ratio',
    'logs?_cursor=',
    'recent-posts?_cursor=',
    'types?_cursor=&sort=data',
  ])('readCursor rejects the cursor %s', (query) => {
    expect(rejection(`GET /${query}`)).toContain('422 params.invalid');
  });

  it('a cursor that is too long for a header is rejected', () => {
    const long = rows([1, 'x'.repeat(9_000)], [2, 'y']);
    expect(() => cursorOf('GET /types?_cursor=&sort=note&limit=1&_select=id', long)).toThrow(
      expect.objectContaining({ code: 'params.invalid', status: 422 }),
    );
    expect(run('GET /types?sort=note&limit=1&_select=id', rows([1], [2])).response.status).toBe(200);
  });

  it('a list with a cursor returns 20 records by default', () => {
    expect(plan('GET /tags?_cursor=', { options: { requireLimit: true } })).toMatchObject({
      window: { limit: 20, style: 'cursor' },
    });
  });
});

import { compileSnapshot, nameSnapshot } from '@rowhouse/schema-model';
import { EXAMPLE_SCHEMA, foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { ALL, nullable, plan, rejection, run, type FakeDatabase } from '../../../test/blog.js';

const answers =
  (provided: Record<string, (string | number | null)[][]>): FakeDatabase =>
  ({ role }) => ({ rows: provided[role.kind === 'include' ? role.path : role.kind] ?? [] });

function includeOf(query: string, parents = 2): { sql: string; params: readonly unknown[] } {
  const records = Array.from({ length: parents }, (_, index) => [index + 1, 'a']);
  const { statements } = run(`GET /posts?_select=id,title&include=comments&${query}`, answers({ records }));
  const { sql, params } = statements[1] ?? { sql: '', params: [] };
  return { sql, params };
}

describe('options of an include', () => {
  it('the options of an include filter, sort and limit its related records', () => {
    expect(
      includeOf(
        'include[comments][user_id]=5&include[comments][sort]=-created_at&include[comments][limit]=3&include[comments][_select]=id',
      ),
    ).toEqual({
      sql: 'SELECT f.`id`, f.`post_id` FROM `comments` AS f WHERE f.`post_id` IN (?, ?) AND f.`user_id` = ? ORDER BY f.`post_id`, f.`created_at` DESC, f.`id` DESC LIMIT ?',
      params: ['1', '2', '5', '7'],
    });
    expect(
      includeOf('include[comment][created_after]=2026-01-01&include[comments][_filter]={"not":{"id":4}}', 1)
        .params,
    ).toEqual(['1', '2026-01-01 00:00:00', '4', '101']);
  });

  it('the options of an include apply to the statement that limits the rows per parent', () => {
    const rows = Array.from({ length: 20 }, (_, index) => [index + 1, 1]);
    const { statements } = run(
      'GET /posts?_select=id,title&include=comments&include[comments][_select]=id&include[comments][limit]=1&include[comments][user_id]=5&include[comments][sort]=content',
      answers({
        records: [
          [1, 'a'],
          [2, 'b'],
        ],
        comments: rows,
      }),
    );
    expect(statements[2]?.sql).toContain(
      'ROW_NUMBER() OVER (PARTITION BY f.`post_id` ORDER BY f.`content`, f.`id`) AS row_in_parent FROM `comments` AS f WHERE f.`post_id` IN (?, ?) AND f.`user_id` = ?) AS w WHERE row_in_parent <= 2',
    );
    expect(statements[2]?.params).toEqual(['1', '2', '5']);
  });

  it('an include that is sorted by a value inside JSON binds its path in both statements', () => {
    const json = rawColumn('data', 'json', nullable);
    const parts = rawTable(
      'parts',
      [rawColumn('id', 'int(11)'), rawColumn('item_id', 'int(11)', nullable), json],
      { foreignKeys: [foreignKey('parts', 'item_id', 'items', ['id'])] },
    );
    const compiled = compileSnapshot(
      nameSnapshot(
        { ...EXAMPLE_SCHEMA, tables: [rawTable('items', [rawColumn('id', 'int(11)')]), parts] },
        null,
      ),
      1,
      ALL,
    );
    const rows = Array.from({ length: 20 }, (_, index) => ['1', index + 1, 1]);
    const call =
      'GET /items?include=parts&include[parts][_select]=w:data->w,id&include[parts][limit]=1&include[parts][id__gt]=5&include[parts][sort]=data->n';
    const { statements } = run(call, answers({ records: [[1], [2]], parts: rows }), { compiled });
    const [plain, counted] = statements.slice(1).map(({ params }) => params);
    const paths = (params: readonly unknown[] = []): readonly unknown[] =>
      params.filter((value) => value !== '$."n"');
    expect([paths(plain), paths(counted)]).toEqual([
      ['$."w"', '1', '2', '5', '3'],
      ['$."w"', '1', '2', '5'],
    ]);
    expect(statements.map(({ sql, params }) => sql.split('?').length - 1 - params.length)).toEqual([0, 0, 0]);
  });

  it('filters of an include require the right to read the tables of their paths', () => {
    expect(includeOf('include[comments][user.username]=ann').sql).toContain(
      'AND EXISTS (SELECT 1 FROM `users` AS e1 WHERE e1.`id` = f.`user_id` AND e1.`username` = ?)',
    );
    expect(plan('GET /posts?include=comments&include[comments][user.username]=ann').touches).toContainEqual({
      table: 'users',
      verb: 'read',
    });
    const rights = { ...ALL, tables: { posts: ['read'], comments: ['read'], users: ['write'] } } as const;
    expect(
      rejection('GET /posts/1?include=comments&include[comments][user.username]=ann', { rights }),
    ).toContain('403 auth.scope');
  });

  it('an included to-one record that does not match its filter is null', () => {
    const { response } = run(
      'GET /posts?_select=id&include=user&include[user][_select]=username&include[user][username__ne]=bob',
      answers({
        records: [
          [1, 7],
          [2, 8],
        ],
        user: [['ann', 7]],
      }),
    );
    expect(response.body).toBe('[{"id":1,"user":{"username":"ann"}},{"id":2,"user":null}]');
  });

  it('a write rejects options of an include', () => {
    expect(rejection('DELETE /posts?id=1&include[comments][limit]=5')).toContain('unknown_parameter');
  });

  it.each([
    'include[comments][limit]=5',
    'include=comments&include[comments][limit]=1001',
    'include=comments&include[comments][limit]=x',
    'include=comments&include[comments][page]=1',
    'include=comments&include[comments]=1',
    'include=comments&include[comments][sort]=user.username',
    'include=comments&include[comments][sort]=nope',
    'include=comments&include[comments][_select]=nope',
    'include=user&include[user][limit]=1',
    'include=comments&include[comments][nope]=1',
    'include=comments&include[comments][id]=1&include[comments][id]=2',
    'include=comments&include[comments][limit]=1&include[comments][limit]=2',
    'include=comments&include[comments.user][username]=x',
    'include=comments&include[][limit]=1',
    'include=comments&include[comments][_q]=x',
  ])('planEmbed rejects the include option %s', (query) => {
    expect(rejection(`GET /posts?${query}`)).toContain('422 params.invalid');
  });
});

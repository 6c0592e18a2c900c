import { describe, expect, it } from 'vitest';
import { compileSnapshot, nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import {
  ALL,
  digest,
  type FakeDatabase,
  firstStatement,
  PLAN_OPTIONS,
  rejection,
  run,
} from '../../../test/blog.js';
import { parseRequest, planRequest } from '../../index.js';

const tagOf = (...cells: unknown[]): string => `"1.${digest(cells.map(String))}"`;

describe('_etag among the selected columns', () => {
  it('every record of a list with _etag has its version, whatever columns are selected', () => {
    const { response, statements } = run('GET /tags?_select=name,_etag&sort=name', () => ({
      rows: [
        ['a', 1, null],
        ['b', 2, 'x'],
      ],
    }));
    expect(statements[0]?.sql).toBe(
      'SELECT `name`, `id`, `description` FROM `tags` ORDER BY `name` ASC, `id` ASC LIMIT ?',
    );
    expect(JSON.parse(String(response.body))).toEqual([
      { name: 'a', _etag: tagOf(1, 'a', null) },
      { name: 'b', _etag: tagOf(2, 'b', 'x') },
    ]);
    expect(run('GET /tags?_select=_etag', () => ({ rows: [[1, 'a', null]] })).response.body).toBe(
      JSON.stringify([{ _etag: tagOf(1, 'a', null) }]),
    );
  });

  it('a list with cursors, joins or includes returns the version of each record', () => {
    const answer: FakeDatabase = ({ role }) =>
      role.kind === 'include'
        ? { rows: [['c', 7, 7, 'ann', 'c', null, '2026-01-01 00:00:00']] }
        : { rows: [[1, 7, 'ann', 't', 'x', 7, 0, '2026-01-01 00:00:00']] };
    const { statements, response } = run(
      'GET /posts?_select=id,_etag&_cursor=&limit=5&sort=user.username&include=user&include[user][_select]=email,_etag',
      answer,
    );
    expect(statements.map((statement) => statement.shape?.keys)).toEqual([
      [1, 2, 0, 0, 3, 4, 5, 6, 7],
      expect.any(Array),
    ]);
    expect(JSON.parse(String(response.body))[0]).toMatchObject({
      id: 1,
      _etag: expect.stringMatching(/^"1\./),
      user: { email: 'c', _etag: expect.stringMatching(/^"1\./) },
    });
  });

  it('a single record with _etag contains its ETag header as a member', () => {
    const { response } = run('GET /tags/1?_select=id,_etag', () => ({ rows: [[1, 'a', null]] }));
    expect(JSON.parse(String(response.body))).toEqual({ id: 1, _etag: response.headers['ETag'] });
    const included = run('GET /tags/1?_select=id,_etag&include=posts', ({ role }) =>
      role.kind === 'records' ? { rows: [[1, 'a', null]] } : {},
    ).response;
    expect(
      String(included.headers['ETag']).startsWith(JSON.parse(String(included.body))._etag.slice(0, -1)),
    ).toBe(true);
  });

  it.each([
    'logs?_select=_etag',
    'recent-posts?_select=*,_etag',
    'tags?_omit=_etag',
    'tags?_distinct=_etag',
    'tags?_select=%60_etag%60',
    'tags?_select=*,_etag&_distinct=name',
  ])('_etag is rejected in the request %s', (query) => {
    expect(rejection(`GET /${query}`)).toContain('422 params.invalid');
  });

  it('the response to _explain does not show the columns of the record version', () => {
    expect(
      firstStatement('GET /users?_explain=true&_select=id,_etag', {
        scopes: ['query'],
        rights: { ...ALL, hiddenColumns: { users: ['email'] } },
      }).sql,
    ).not.toContain('email');
  });

  it('a column named _etag can be selected', () => {
    const table = rawTable('odd', [
      rawColumn('id', 'int(11)', { autoIncrement: true }),
      rawColumn('_etag', 'varchar(9)'),
    ]);
    const compiled = compileSnapshot(nameSnapshot({ engine: 'mariadb', tables: [table] }, null), 1, ALL);
    const planOf = (rawQuery: string): object =>
      planRequest(
        parseRequest({ method: 'GET', rawPath: '/odd', rawQuery, headers: {}, body: undefined }, compiled, {
          prefix: '/v1/-',
        }),
        PLAN_OPTIONS,
      );
    expect(planOf('_select=%60_etag%60')).toMatchObject({ hasEtag: false, select: [{ name: '_etag' }] });
    expect(planOf('_select=id,_etag')).toMatchObject({ hasEtag: true, select: [{ name: 'id' }] });
    expect(() => planOf('_select=*,_etag')).toThrow();
  });
});

import { describe, expect, it } from 'vitest';
import { ALL, firstStatement, program, run, type FakeDatabase } from '../../test/blog.js';

const sqlOf = (endpoint: string, options: Parameters<typeof program>[1] = {}): string[] =>
  program(endpoint, options).first.statements.map((statement) => statement.sql);

describe('statements', () => {
  it('a single record is read by a simple SELECT', () => {
    expect(firstStatement('GET /tags/5')).toMatchObject({
      sql: 'SELECT `id`, `name`, `description` FROM `tags` WHERE `id` = ?',
      params: ['5'],
    });
    expect(program('GET /tags/5')).toMatchObject({
      transaction: 'none',
      first: { statements: [{ isShort: true }] },
    });
  });

  it('requests that differ only in values have the same statement text', () => {
    expect(firstStatement('GET /tags?id__in=1,2,3').sql).toBe(firstStatement('GET /tags?id__in=4,5,6,7').sql);
    expect(firstStatement('GET /tags?page=2&limit=5').sql).toBe(
      firstStatement('GET /tags?page=9&limit=7').sql,
    );
    expect(firstStatement('GET /tags/1').sql).toBe(firstStatement('GET /tags/2').sql);
    expect(firstStatement('POST /users', { body: { username: 'a', email: 'a@b.co' } }).sql).toBe(
      firstStatement('POST /users', { body: { email: 'c@d.co', username: 'b' } }).sql,
    );
  });

  it('requests of one shape share the same result shape object', () => {
    expect(firstStatement('GET /tags/5').shape).not.toBeNull();
    const statement = firstStatement('GET /tags/5');
    expect(statement.shape?.columns.map((column) => column.name)).toEqual(['id', 'name', 'description']);
  });

  it('a list reads one row more than its limit', () => {
    expect(firstStatement('GET /tags?page=3&limit=5')).toMatchObject({
      sql: 'SELECT `id`, `name`, `description` FROM `tags` ORDER BY `id` ASC LIMIT ? OFFSET ?',
      params: ['6', '10'],
    });
    expect(sqlOf('GET /tags?name=x&_count=exact')[1]).toBe('SELECT COUNT(*) FROM `tags` WHERE `name` = ?');
  });

  it('an update and the read of its record are sent in one round trip in order', () => {
    expect(sqlOf('PUT /tags/5', { body: { name: 'x' } })).toEqual([
      'UPDATE `tags` SET `name` = ? WHERE `id` = ?',
      'SELECT `id`, `name`, `description` FROM `tags` WHERE `id` = ?',
    ]);
    expect(sqlOf('PUT /tags/5', { body: {} })).toEqual([
      'SELECT `id`, `name`, `description` FROM `tags` WHERE `id` = ?',
    ]);
    const minimal = { body: { name: 'x' }, headers: { prefer: 'return=minimal' } };
    expect(program('PUT /tags/5', minimal)).toMatchObject({
      transaction: 'commit',
      first: { statements: [{}, { sql: 'SELECT `id`, `name`, `description` FROM `tags` WHERE `id` = ?' }] },
    });
    expect(sqlOf('PUT /tags/5', { ...minimal, rights: { ...ALL, verbs: ['write'] } })).toEqual([
      'UPDATE `tags` SET `name` = ? WHERE `id` = ?',
    ]);
    expect(
      sqlOf('PUT /types/11111111-2222-4333-8444-555555555555', {
        body: { uuid: 'other' },
        headers: minimal.headers,
      }),
    ).toHaveLength(2);
    expect(
      program('PUT /types/11111111-2222-4333-8444-555555555555', { body: { uuid: 'other' } }).first
        .statements[1]?.params,
    ).toEqual(['other']);
    expect(program('PUT /tags/5', { body: { name: 'x' } }).first.isOrdered).toBe(true);
    expect(program('DELETE /tags/5', { headers: { prefer: 'tx=rollback' } }).transaction).toBe('rollback');
  });

  it('a bulk create uses one INSERT, and several above its row limit', () => {
    const named = (length: number): { name: string }[] => Array.from({ length }, () => ({ name: 'x' }));
    const statementProgram = program('POST /tags', { body: named(7) });
    expect(statementProgram.transaction).toBe('none');
    expect(statementProgram.first.statements.map(({ sql }) => sql)).toEqual([
      'INSERT INTO `tags` (`name`) VALUES (?), (?), (?), (?), (?), (?), (?) RETURNING `id`, `name`, `description`',
    ]);
    const steps = program('POST /tags', { body: [...named(7), { name: 'x', description: 'y' }] });
    expect(steps.transaction).toBe('commit');
    expect(steps.first.statements.map((statement) => statement.params)).toEqual([
      Array.from({ length: 7 }, () => 'x'),
      ['x', 'y'],
    ]);
    const wide = (length: number): object[] =>
      Array.from({ length }, (_, index) => ({ id: index + 1, name: `x${index}`, description: 'y' }));
    const lengths = program('POST /tags', { body: wide(200) }).first.statements.map(
      (statement) => statement.params.length / 3,
    );
    expect(lengths).toEqual([128, 72]);
    expect(
      program('POST /tags', { body: wide(200) }).first.statements.flatMap(({ params }) => params),
    ).toEqual(wide(200).flatMap((row) => Object.values(row).map(String)));
    expect(program('POST /types', { body: {} }).transaction).toBe('none');
  });

  it('bits and geometries are bound through conversion functions', () => {
    expect(
      firstStatement('PATCH /types/1', {
        body: { flag: true, bits: 5, place: { type: 'Point', coordinates: [1, 2] } },
      }).sql,
    ).toBe(
      'UPDATE `types` SET `flag` = CAST(? AS DECIMAL(20,0)), `bits` = CAST(? AS DECIMAL(20,0)), `place` = ST_GeomFromGeoJSON(?, 1, 0) WHERE `id` = ?',
    );
    expect(firstStatement('GET /types?_select=place').sql).toContain('SELECT ST_AsGeoJSON(`place`) FROM');
  });

  it('without RETURNING, a create reads back each inserted record', () => {
    let reads = 0;
    const answer =
      (numbers: readonly number[]): FakeDatabase =>
      ({ role, params }) => {
        if (role.kind === 'write') return { affectedRows: 1, insertId: `${role.row + 10}` };
        return { rows: [[params.length > 0 ? Number(params[0]) : (numbers[reads++ % 2] ?? 0), 'x', null]] };
      };
    const create = (numbers: readonly number[]) =>
      run('POST /tags', answer(numbers), { body: [{ name: 'x' }, { name: 'y' }], insertReturning: false });
    const reported = ({ statements }: ReturnType<typeof create>) =>
      statements.map(({ sql, params }) => [sql.slice(0, 6), ...params]);
    const both = [['INSERT', 'x'], ['SELECT'], ['INSERT', 'y'], ['SELECT']];
    expect(reported(create([10, 11]))).toEqual(both);
    expect(reported(create([10, 7]))).toEqual([...both, ['SELECT', '10'], ['SELECT', '11']]);
    for (const numbers of [
      [10, 11],
      [10, 7],
    ])
      expect(create(numbers).response).toMatchObject({
        status: 201,
        body: '[{"id":10,"name":"x","description":null},{"id":11,"name":"x","description":null}]',
      });
    expect(
      program('POST /tags', { body: [{ name: 'x' }, { name: 'y' }], insertReturning: false }).transaction,
    ).toBe('commit');
  });

  it('without RETURNING, a create reads its record back by the last generated number', () => {
    const read = 'SELECT `id`, `name`, `description` FROM `tags` WHERE ';
    const create = (body: unknown, rows: (string | number | null)[][], insertId = '10') =>
      run(
        'POST /tags',
        ({ role, params }) =>
          role.kind === 'write'
            ? { affectedRows: 1, insertId }
            : { rows: params[0] === '10' ? [[10, 'own', null]] : rows },
        { body, insertReturning: false },
      );
    expect(program('POST /tags', { body: { name: 'x' }, insertReturning: false }).transaction).toBe('commit');
    const plain = create({ name: 'x' }, [[10, 'x', null]]);
    expect(plain.statements.map(({ sql, params }) => [sql, params])).toEqual([
      ['INSERT INTO `tags` (`name`) VALUES (?)', ['x']],
      [`${read}\`id\` = LAST_INSERT_ID()`, []],
    ]);
    expect(plain.response).toMatchObject({
      status: 201,
      body: '{"id":10,"name":"x","description":null}',
      headers: { Location: '/v1/-/tags/10' },
    });
    const provided = create({ id: 7, name: 'x' }, [[7, 'x', null]], '7');
    expect(provided.statements.map(({ sql, params }) => [sql, params])).toEqual([
      ['INSERT INTO `tags` (`id`, `name`) VALUES (?, ?)', ['7', 'x']],
      [`${read}\`id\` = ?`, ['7']],
    ]);
    const composite = run(
      'POST /post-tags',
      ({ role }) => (role.kind === 'write' ? { affectedRows: 1 } : { rows: [[1, 2]] }),
      { body: { post_id: 1, tag_id: 2 }, insertReturning: false },
    );
    expect(composite.statements[1]).toMatchObject({
      sql: expect.stringContaining('WHERE `post_id` = ? AND `tag_id` = ?'),
      params: ['1', '2'],
    });
  });

  it('without RETURNING, a create returns the written record even if a trigger set its number', () => {
    for (const rows of [[[3, 'of another', null]], []]) {
      const { statements, response } = run(
        'POST /tags',
        ({ role, params }) =>
          role.kind === 'write'
            ? { affectedRows: 1, insertId: '10' }
            : { rows: params[0] === '10' ? [[10, 'own', null]] : rows },
        { body: { name: 'x' }, insertReturning: false },
      );
      expect(statements.map(({ params }) => params)).toEqual([['x'], [], ['10']]);
      expect(response).toMatchObject({
        body: '{"id":10,"name":"own","description":null}',
        headers: { Location: '/v1/-/tags/10' },
      });
    }
    // The trigger deleted the record, or assigned its number without the server reporting this number.
    const lost = run(
      'POST /tags',
      ({ role, params }) =>
        role.kind === 'write'
          ? { affectedRows: 1, insertId: '10' }
          : { rows: params[0] === '10' ? [] : [[3, 'of another', null]] },
      { body: { name: 'x' }, insertReturning: false },
    );
    expect(lost.response).toMatchObject({ status: 201, body: '{"created":1}' });
  });

  it('every name in a generated statement comes from the schema snapshot', () => {
    for (const value of ["x'; DROP TABLE tags; --", '`', '\\', '%00']) {
      expect(firstStatement(`GET /tags?name=${encodeURIComponent(value)}`).sql).toBe(
        'SELECT `id`, `name`, `description` FROM `tags` WHERE `name` = ? ORDER BY `id` ASC LIMIT ?',
      );
    }
  });
});

describe('includes', () => {
  const answers =
    (provided: Record<string, (string | number | null)[][]>): FakeDatabase =>
    ({ role }) => ({ rows: provided[role.kind === 'include' ? role.path : role.kind] ?? [] });

  it('an include reads one level per round trip and each key once', () => {
    const { statements } = run(
      'GET /posts?include=user,comments.user&_select=id,title',
      answers({
        records: [
          [1, 'a', 7],
          [2, 'b', 7],
          [3, 'c', 8],
        ],
        comments: [[5, 'x', 9, 1, '2026-01-01 00:00:00']],
      }),
    );
    expect(
      statements.map((statement) => [
        statement.role.kind === 'include' ? statement.role.path : '',
        statement.params,
      ]),
    ).toEqual([
      ['', ['1001']],
      ['user', ['7', '8']],
      ['comments', ['1', '2', '3', '3', '301']],
      ['comments.user', ['9']],
    ]);
    expect(statements[0]?.sql).toBe('SELECT `id`, `title`, `user_id` FROM `posts` ORDER BY `id` ASC LIMIT ?');
    expect(statements[2]?.sql).toBe(
      'SELECT f.`id`, f.`content`, f.`user_id`, f.`post_id`, f.`created_at` FROM `comments` AS f WHERE f.`post_id` IN (?, ?, ?, ?) ORDER BY f.`post_id`, f.`id` LIMIT ?',
    );
  });

  it('an include sends no statement if no parent has a key', () => {
    const { statements, response } = run(
      'GET /posts?include=user&_select=id&limit=1',
      answers({
        records: [
          [1, null],
          [2, 7],
        ],
      }),
    );
    expect(statements).toHaveLength(1);
    expect(response.body).toBe('[{"id":1,"user":null}]');
  });

  it('an include limits the rows per parent only if the plain statement returns too many', () => {
    const child = (id: number, post: number): (string | number)[] => [
      id,
      'c',
      1,
      post,
      '2026-01-01 00:00:00',
    ];
    const { statements, response } = run('GET /posts?include=comments&_select=id', ({ role }) => {
      if (role.kind === 'records') return { rows: [[1], [2]] };
      if (role.kind !== 'include') return {};
      if (role.rowsMax !== null) return { rows: Array.from({ length: 201 }, (_, id) => child(id, 1)) };
      return { rows: [...Array.from({ length: 101 }, (_, id) => child(id, 1)), child(500, 2)] };
    });
    expect(statements).toHaveLength(3);
    expect(statements[2]?.sql).toContain(
      'ROW_NUMBER() OVER (PARTITION BY f.`post_id` ORDER BY f.`id`) AS row_in_parent FROM `comments` AS f WHERE f.`post_id` IN (?, ?)) AS w WHERE row_in_parent <= 101',
    );
    expect(statements[2]?.params).toEqual(['1', '2']);
    const posts = JSON.parse(String(response.body)) as { comments: { id: number }[] }[];
    expect(posts.map((post) => post.comments.length)).toEqual([100, 1]);
    expect(response.headers['X-Truncated']).toBe('comments');
  });

  it('many-to-many relationships are read through the link table', () => {
    const { statements, response } = run(
      'GET /posts/1?include=tags&_select=id',
      answers({
        records: [[1]],
        tags: [
          [3, 'x', null, 1],
          [4, 'y', null, 1],
        ],
      }),
    );
    expect(statements[1]?.sql).toBe(
      'SELECT f.`id`, f.`name`, f.`description`, l.`post_id` FROM `post_tags` AS l JOIN `tags` AS f ON l.`tag_id` = f.`id` WHERE l.`post_id` = ? ORDER BY l.`post_id`, f.`id` LIMIT ?',
    );
    expect(response.body).toBe(
      '{"id":1,"tags":[{"id":3,"name":"x","description":null},{"id":4,"name":"y","description":null}]}',
    );
  });

  it('an include matches text keys by the row key, because equal texts may differ', () => {
    const { statements, response } = run(
      'GET /cities?include=country',
      answers({
        records: [
          [1, 'DE'],
          [2, 'de'],
        ],
        country: [
          ['de', 'Germany', 1],
          ['de', 'Germany', 2],
        ],
      }),
    );
    expect(statements[1]?.sql).toBe(
      'SELECT f.`code`, f.`title`, n.`id` FROM `cities` AS n JOIN `countries` AS f ON n.`country_id` = f.`code` WHERE n.`id` IN (?, ?)',
    );
    expect(response.body).toContain('"country_id":"DE","country":{"code":"de","title":"Germany"}');
  });

  it('an include reads many parents in several statements', () => {
    const rows = Array.from({ length: 900 }, (_, index) => [index, `t${index}`, null]);
    const comments = Array.from({ length: 5000 }, (_, index) => [
      index,
      'c',
      index,
      index % 900,
      '2026-01-01 00:00:00',
    ]);
    const { statements } = run('GET /posts?include=comments.user&_select=id', ({ role }) => {
      if (role.kind === 'records') return { rows };
      if (role.kind === 'include' && role.path === 'comments')
        return { rows: role.rowsMax === null ? comments : comments.slice(0, 2001) };
      return {};
    });
    const users = statements.filter(
      (statement) => statement.role.kind === 'include' && statement.role.path === 'comments.user',
    );
    expect(users.map((statement) => statement.params.length)).toEqual([2048, 2048, 1024]);
  });
});

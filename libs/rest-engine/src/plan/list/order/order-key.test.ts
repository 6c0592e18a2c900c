import { compileSnapshot, nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { ALL } from '../../../../test/blog.js';
import { findOrderKey, findViewOrder } from './order-key.js';

const int = (name: string): ReturnType<typeof rawColumn> =>
  rawColumn(name, 'int(11)', { nullable: true, default: { kind: 'null' } });
const users = rawTable('users', [rawColumn('id', 'int(11)'), rawColumn('name', 'varchar(20)')]);
const posts = rawTable('posts', [
  rawColumn('id', 'int(11)'),
  int('user_id'),
  rawColumn('title', 'varchar(20)'),
]);
const logs = rawTable('logs', [int('user_id')], { primaryKey: null });

/**
 * Returns the order key and the order of a view with these columns. `text` is the view's definition without
 * `CREATE VIEW` and its name.
 */
function read(
  columns: readonly string[],
  text: string,
): { key: readonly string[] | null; order: readonly string[] } {
  const view = rawTable(
    'v',
    columns.map((name) => (name === 'name' || name === 'title' ? rawColumn(name, 'varchar(20)') : int(name))),
    {
      primaryKey: null,
      kind: 'view',
      createSql: `CREATE ALGORITHM=UNDEFINED SQL SECURITY DEFINER VIEW \`v\` ${text}`,
    },
  );
  const table = compileSnapshot(
    nameSnapshot({ engine: 'mariadb', tables: [users, posts, logs, view] }, null),
    1,
    ALL,
  ).findByName('v');
  if (table === null) throw new Error('the view is not there');
  return {
    key: findOrderKey(table)?.map(({ name }) => name) ?? null,
    order: findViewOrder(table).map(({ column, direction }) => `${column.name} ${direction}`),
  };
}

describe('the key of a view', () => {
  it.each([
    [
      'the key of its table',
      ['n', 'title'],
      'AS select `posts`.`id` AS `n`,`posts`.`title` AS `title` from `posts` where (`posts`.`user_id` = 1)',
      ['n'],
    ],
    [
      'its columns may be named before the query',
      ['a', 'b'],
      '(`a`,`b`) AS select `posts`.`title` AS `title`,`posts`.`id` AS `id` from `posts`',
      ['b'],
    ],
    [
      'not there where the key of the table is not shown',
      ['title'],
      'AS select `posts`.`title` AS `title` from `posts`',
      null,
    ],
    [
      'not there where the key is only a part of an expression',
      ['id'],
      'AS select (`posts`.`id` + 1) AS `id` from `posts`',
      null,
    ],
    [
      'the keys of both tables of a join',
      ['p', 'u'],
      'AS select `p`.`id` AS `p`,`u`.`id` AS `u` from (`posts` `p` join `users` `u` on(`u`.`name` = `p`.`title`))',
      ['p', 'u'],
    ],
    [
      'one key where the join finds the other table by its key',
      ['p', 'name'],
      'AS select `p`.`id` AS `p`,`u`.`name` AS `name` from (`posts` `p` left join `users` `u` on((`u`.`id` = `p`.`user_id`)))',
      ['p'],
    ],
    [
      'one key where a filter joins',
      ['p', 'u'],
      "AS select `p`.`id` AS `p`,`u`.`id` AS `u` from `posts` `p` join `users` `u` where `u`.`id` = `p`.`user_id` and `p`.`title` <> 'from'",
      ['p'],
    ],
    [
      'not there where an outer join finds many rows',
      ['u', 'title'],
      'AS select `u`.`id` AS `u`,`p`.`title` AS `title` from (`users` `u` left join `posts` `p` on(`p`.`user_id` = `u`.`id`))',
      null,
    ],
    [
      'not there where the alternatives of a join find several rows',
      ['p', 'name'],
      'AS select `p`.`id` AS `p`,`u`.`name` AS `name` from (`posts` `p` join `users` `u` on(`u`.`id` = `p`.`user_id` or `u`.`name` = `p`.`title`))',
      null,
    ],
    [
      'not there over a table without a key',
      ['user_id'],
      'AS select `logs`.`user_id` AS `user_id` from `logs`',
      null,
    ],
    [
      'what it groups by',
      ['user_id', 'n'],
      'AS select `posts`.`user_id` AS `user_id`,count(0) AS `n` from `posts` group by `posts`.`user_id`',
      ['user_id'],
    ],
    [
      'not there where it groups by something else as well',
      ['user_id', 'n'],
      'AS select `posts`.`user_id` AS `user_id`,count(0) AS `n` from `posts` group by `posts`.`user_id`,`posts`.`title`',
      null,
    ],
    [
      'not there with subtotals',
      ['user_id', 'n'],
      'AS select `posts`.`user_id` AS `user_id`,count(0) AS `n` from `posts` group by `posts`.`user_id` with rollup',
      null,
    ],
    [
      'not there in a union',
      ['id'],
      'AS select `posts`.`id` AS `id` from `posts` union all select `users`.`id` AS `id` from `users`',
      null,
    ],
    [
      'not there over a sub-query',
      ['id'],
      'AS select `d`.`id` AS `id` from (select `posts`.`id` AS `id` from `posts`) `d`',
      null,
    ],
    ['not there over distinct rows', ['id'], 'AS select distinct `posts`.`id` AS `id` from `posts`', null],
    [
      'there with a check of what is written',
      ['id'],
      'AS select `posts`.`id` AS `id` from `posts` WITH CASCADED CHECK OPTION',
      ['id'],
    ],
  ])('findOrderKey returns %s for the view', (_what, columns, text, key) => {
    expect(read(columns, text).key).toEqual(key);
  });

  it('findViewOrder returns the ORDER BY of a view that shows the sorted columns', () => {
    expect(
      read(
        ['id', 'name'],
        'AS select `users`.`id` AS `id`,ucase(`users`.`name`) AS `name` from `users` order by ucase(`users`.`name`) desc,`users`.`id`',
      ).order,
    ).toEqual(['name DESC', 'id ASC']);
    expect(
      read(
        ['id', 'title'],
        'AS select `posts`.`user_id` AS `id`,`posts`.`title` AS `title` from `posts` order by `title` limit 3',
      ).order,
    ).toEqual(['title ASC']);
    expect(read(['id'], 'AS select `users`.`id` AS `id` from `users` order by `users`.`name`').order).toEqual(
      [],
    );
  });
});

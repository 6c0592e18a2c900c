import { compileSnapshot, nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable, uniqueIndex } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { ALL, plan as planBlog, PLAN_OPTIONS } from '../../test/blog.js';
import { parseRequest } from '../request/parse-request.js';
import { planRequest } from './plan-request.js';
import type { FilteredPlan, Plan } from './plan.js';
import { mayScan, proposeListIndex } from './may-scan.js';

const index = (name: string, columns: readonly string[]): ReturnType<typeof uniqueIndex> => ({
  ...uniqueIndex(name, columns),
  unique: false,
});
const items = rawTable(
  'items',
  [
    rawColumn('id', 'int(11)', { autoIncrement: true }),
    rawColumn('state', 'varchar(10)'),
    rawColumn('made_at', 'datetime'),
    rawColumn('name', 'varchar(50)'),
    rawColumn('note', 'text'),
    rawColumn('size', 'int(11)'),
    rawColumn('sold_at', 'datetime', { nullable: true }),
  ],
  {
    indexes: [
      index('by_state', ['state', 'made_at']),
      index('by_made', ['made_at']),
      index('by_sold', ['sold_at']),
      { ...index('words', ['note']), kind: 'fulltext' },
    ],
  },
);
const compiled = compileSnapshot(nameSnapshot({ engine: 'mariadb', tables: [items] }, null), 1, ALL);

function plan(query: string): Plan {
  const request = parseRequest(
    { method: 'GET', rawPath: '/items', rawQuery: query, headers: {}, body: undefined },
    compiled,
    { prefix: '/v1/-' },
  );
  return planRequest(request, { ...PLAN_OPTIONS, regexEnabled: true });
}

describe('a list', () => {
  it.each([
    '',
    'sort=-id',
    'limit=1000',
    'sort=made_at',
    'sort=-made_at',
    'sort=state,made_at',
    'state=new',
    'state=new&name__contains=x',
    'made_at__gte=2026-01-01&sort=name',
    'state__in=a,b&sort=size',
    'state__startswith=n',
    'state__isnull=true',
    '_q=word',
    'id__between=1,5',
    'sort=-sold_at:nulls_last',
    'sort=sold_at:nulls_first',
    'sort=made_at:nulls_last',
    'state=new&sort=sold_at:nulls_last',
    'state=new&_aggregate=count',
    '_count=estimated',
    '_filter=%7B%22or%22:%5B%7B%22state%22:%22a%22%7D,%7B%22made_at__gt%22:%222026-01-01%22%7D%5D%7D',
  ])('mayScan returns false for a list with the query %s', (query) => {
    expect(mayScan(plan(query))).toBe(false);
  });

  it.each([
    'name=x',
    'state__contains=x',
    'state__ne=new',
    'state__isnull=false',
    'state__ilike=n%25',
    'note__regex=a',
    'sort=name',
    'sort=made_at,-state',
    'sort=made_at,name',
    'sort=sold_at:nulls_last',
    'sort=-sold_at:nulls_first',
    '_distinct=state',
    '_count=exact',
    '_aggregate=count',
    '_aggregate=count&_group=state',
    '_filter=%7B%22or%22:%5B%7B%22state%22:%22a%22%7D,%7B%22name%22:%22b%22%7D%5D%7D',
    'made_at__year=2026',
  ])('mayScan returns true for a list with the query %s', (query) => {
    expect(mayScan(plan(query))).toBe(true);
  });

  it('mayScan returns false for plans that do not filter a table', () => {
    expect(mayScan(planBlog('GET /posts/1'))).toBe(false);
    expect(mayScan(planBlog('GET /recent-posts?id=1'))).toBe(false);
    expect(mayScan(planBlog('DELETE /posts/1'))).toBe(false);
    expect(mayScan(planBlog('GET /posts?user.username=ann'))).toBe(true);
  });

  it('mayScan returns true for a list that is sorted by a count', () => {
    for (const query of ['sort=-count_comments', 'id=5&sort=count_comments', 'sort=id,count_comments'])
      expect([query, mayScan(planBlog(`GET /posts?include=count:comments&${query}`))]).toEqual([query, true]);
    expect(mayScan(planBlog('GET /posts?include=count:comments&sort=-id'))).toBe(false);
    expect(
      proposeListIndex(
        planBlog('GET /posts?include=count:comments&sort=content,count_comments') as FilteredPlan,
      ),
    ).toBeNull();
  });
});

describe('a write by filter', () => {
  it.each([
    ['DELETE /posts?id__in=1,2', false],
    ['DELETE /posts?title=x', true],
    ['DELETE /posts?title=x&id__gt=5', false],
    ['DELETE /posts?user.username=ann', true],
  ] as const)('mayScan returns for a write by filter %s: %s', (call, isExpected) => {
    expect(mayScan(planBlog(call))).toBe(isExpected);
  });
  it('proposeListIndex returns an index that the list can use', () => {
    expect(proposeListIndex(planBlog('DELETE /posts?title=x') as FilteredPlan)).toBe(
      'CREATE INDEX `posts_title` ON `posts` (`title`)',
    );
  });
});

it.each([
  ['name=x', 'CREATE INDEX `items_name` ON `items` (`name`)'],
  ['name=x&size__gt=5', 'CREATE INDEX `items_name_size` ON `items` (`name`, `size`)'],
  ['name=x&sort=-size', 'CREATE INDEX `items_name_size` ON `items` (`name`, `size`)'],
  ['sort=name', 'CREATE INDEX `items_name` ON `items` (`name`)'],
  ['name__contains=x', null],
  ['name__contains=x&sort=size', null],
  ['note__startswith=x', null],
  ['state__ne=x', null],
  ['_aggregate=count', null],
  // An index sorts NULLs first, so it cannot provide an ascending order with NULLs last.
  ['sort=sold_at:nulls_last', null],
  ['name=x&sort=sold_at', 'CREATE INDEX `items_name_sold_at` ON `items` (`name`, `sold_at`)'],
  ['name=x&sort=sold_at:nulls_last', 'CREATE INDEX `items_name` ON `items` (`name`)'],
])('proposeListIndex returns for the list %s: %s', (query, sql) => {
  expect(proposeListIndex(plan(query) as FilteredPlan)).toBe(sql);
});

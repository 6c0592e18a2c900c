import { AppError } from '@rowhouse/errors';
import {
  compileSnapshot,
  FILTER_OPERATORS,
  nameSnapshot,
  QUERY_CONTROLS,
  type CompiledSnapshot,
} from '@rowhouse/schema-model';
import {
  foreignKey,
  GRAMMAR_WORDS,
  isLegal,
  listAwkwardNames,
  makeAwkwardName,
  rawColumn,
  rawTable,
  uniqueIndex,
} from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { ALL, nullable, PLAN_OPTIONS } from '../test/blog.js';
import {
  parseRequest,
  planRequest,
  type CreatePlan,
  type ListPlan,
  type Plan,
  type UpdatePlan,
} from './index.js';
import { OPERATORS } from './request/parameter-words.js';
import { parseQueryKey } from './request/parse-query-key.js';

const SEED = 20_261_121;
const RANDOM_NAMES = 1_500;
const COLUMNS_PER_TABLE = 24;

const NAMES = ((): string[] => {
  let state = SEED;
  const integer = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
  return [
    ...new Set([
      ...listAwkwardNames(),
      ...Array.from({ length: RANDOM_NAMES }, () => makeAwkwardName(integer)),
    ]),
  ];
})();

const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
const json = (value: unknown): string => JSON.stringify(value);

/**
 * Splits the names into tables, because the servers do not allow two columns whose names only differ in case.
 */
function partNames(): string[][] {
  const tables: string[][] = [];
  for (const name of NAMES) {
    const fits = (table: readonly string[]): boolean =>
      table.length < COLUMNS_PER_TABLE && !table.some((other) => other.toLowerCase() === name.toLowerCase());
    const open = tables.slice(-4).find(fits);
    if (open !== undefined) open.push(name);
    else tables.push([name]);
  }
  return tables;
}

/** Compiles a table `t` with columns of these names, and related tables whose columns have the same names. */
function compileWith(names: readonly string[]): CompiledSnapshot {
  const own = names.map((name) => rawColumn(name, 'int(11)', nullable));
  const relationshipNames = names
    .filter(
      (name) =>
        isLegal(`${name}_id`) && !names.some((other) => other.toLowerCase() === `${name}_id`.toLowerCase()),
    )
    .slice(0, 6);
  const id = rawColumn('row id', 'int(11)', { autoIncrement: true });
  const child = rawTable(
    'child',
    [
      rawColumn('id', 'int(11)', { autoIncrement: true }),
      ...own,
      ...relationshipNames.map((name) => rawColumn(`${name}_id`, 'int(11)', nullable)),
    ],
    {
      foreignKeys: relationshipNames.map((name) => foreignKey('child', `${name}_id`, 't', ['row id'])),
    },
  );
  const table = rawTable('t', [id, ...own], {
    primaryKey: ['row id'],
    indexes: names.map((name, index) => uniqueIndex(`u${index}`, [name])),
  });
  return compileSnapshot(nameSnapshot({ engine: 'mariadb', tables: [child, table] }, null), 1, ALL);
}

function planOn(
  compiled: CompiledSnapshot,
  method: string,
  path: string,
  pairs: readonly (readonly [string, string])[],
  body?: unknown,
): Plan {
  const rawQuery = pairs
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&');
  const value = body === undefined ? undefined : toJsonValue(body);
  const request = parseRequest({ method, rawPath: path, rawQuery, headers: {}, body: value }, compiled, {
    prefix: '/v1/-',
  });
  return planRequest(request, { ...PLAN_OPTIONS, regexEnabled: true });
}

/**
 * Converts objects to maps, as `parseJson` does. A plain object could not have a member called `__proto__`.
 */
function toJsonValue(value: unknown): never {
  if (value instanceof Map)
    return new Map([...value].map(([key, member]) => [key, toJsonValue(member)])) as never;
  return (typeof value === 'number' ? { kind: 'number', text: String(value) } : value) as never;
}

/** Returns the meaning of an unquoted query key by its syntax alone, as the API contract defines it. */
function readBare(key: string): string {
  if ((GRAMMAR_WORDS.controls as readonly string[]).includes(key)) return `control ${key}`;
  if (!/^[A-Za-z0-9_$\u0080-\uffff-]+$/.test(key)) return 'not plain';
  const cutIndex = key.lastIndexOf('__');
  const tail = cutIndex > 0 ? key.slice(cutIndex + 2) : '';
  if ((GRAMMAR_WORDS.operators as readonly string[]).includes(tail))
    return `filter ${tail} ${key.slice(0, cutIndex)}`;
  if ((GRAMMAR_WORDS.reserved as readonly string[]).includes(tail)) return 'reserved';
  return key.startsWith('_') ? 'refused' : `filter eq ${key}`;
}

function describeKey(key: string): string {
  const read = parseQueryKey(key);
  if (read.kind === 'control') return `control ${read.control}`;
  if (read.kind !== 'filter') return read.kind;
  return read.jsonPath === null ? `filter ${read.operator} ${read.path.join('\0')}` : 'json';
}

describe('the words of the grammar', () => {
  it('the request parser supports exactly the parameters and operators of the contract', () => {
    expect([...QUERY_CONTROLS].sort()).toEqual([...GRAMMAR_WORDS.controls].sort());
    expect([...FILTER_OPERATORS].sort()).toEqual([...GRAMMAR_WORDS.operators].sort());
    expect(
      [...OPERATORS]
        .filter(([, word]) => word.kind === 'reserved')
        .map(([word]) => word)
        .sort(),
    ).toEqual([...GRAMMAR_WORDS.reserved].sort());
  });
});

describe('column names of any form', () => {
  it('every filter operator accepts a quoted column name', () => {
    for (const name of NAMES) {
      expect(describeKey(quote(name)), json(name)).toBe(`filter eq ${name}`);
      for (const operator of GRAMMAR_WORDS.operators) {
        expect(describeKey(`${quote(name)}__${operator}`), json(name)).toBe(`filter ${operator} ${name}`);
        if (readBare(name) !== 'not plain')
          expect(describeKey(`${name}__${operator}`), json(name)).toBe(`filter ${operator} ${name}`);
      }
    }
  });

  it('the meaning of an unquoted name in a request depends only on its syntax', () => {
    for (const name of NAMES) {
      const expected = readBare(name);
      if (expected !== 'not plain') expect(describeKey(name), json(name)).toBe(expected);
      // A name that needs backquotes is a path, a step into JSON or rejected. It never refers to a column
      // with another name.
      else if (!name.startsWith('`'))
        expect(describeKey(name), json(name)).toMatch(/\0|^json$|^refused$|^reserved$/);
    }
  });

  it('a name refers to its own column in filters, sorts, selections, groups, includes and bodies', () => {
    for (const names of partNames()) {
      const compiled = compileWith(names);
      const other = names.length > 1;
      for (const name of names) checkName(compiled, name, other);
    }
  }, 60_000);

  it('a filter path follows relationships whose names contain any character', () => {
    let tried = 0;
    for (const names of partNames()) {
      const compiled = compileWith(names);
      for (const { name, kind, target } of compiled.findByName('child')?.relationships ?? []) {
        if (kind !== 'to_one') continue;
        const relationship = quote(name);
        const column = names[tried % names.length] ?? '';
        tried += 1;
        const list = planOn(compiled, 'GET', '/child', [
          ['include', relationship],
          [`include[${relationship}][${quote(column)}__gt]`, '1'],
          [`include[${relationship}][_select]`, quote(column)],
          [`${relationship}.${quote(column)}`, '5'],
          [`${relationship}__exists`, 'true'],
          ['sort', `-${relationship}.${quote(column)}`],
        ]) as ListPlan;
        expect(list.include, json(name)).toMatchObject([
          {
            relationship: { name, target: { name: target.name } },
            select: [{ name: column }],
            where: [{ column: { name: column } }],
          },
        ]);
        expect(list.where, json(name)).toMatchObject([
          { kind: 'related', relationship: { name }, where: [{ column: { name: column } }] },
          { kind: 'related', relationship: { name }, where: [] },
        ]);
        expect(list.sort[0], json(name)).toMatchObject({
          path: [{ name }],
          column: { name: column },
          direction: 'DESC',
        });
        const tree = new Map([[relationship, new Map([[quote(column), 5]])]]);
        expect(
          (planOn(compiled, 'POST', '/_search/child', [], new Map([['_filter', tree]])) as ListPlan).where,
          json(name),
        ).toMatchObject([{ kind: 'related', relationship: { name }, where: [{ column: { name: column } }] }]);
        expect(
          planOn(compiled, 'GET', '/child', [
            ['_aggregate', `n:max:${relationship}.${quote(column)}`],
            ['_group', `g:${relationship}.${quote(column)}`],
          ]),
          json(name),
        ).toMatchObject({
          outputs: [
            { term: { source: { path: [{ name }], column: { name: column } } } },
            { term: { source: { column: { name: column } } } },
          ],
        });
      }
    }
    expect(tried).toBeGreaterThan(300);
  }, 60_000);
});

function checkName(compiled: CompiledSnapshot, name: string, hasOthers: boolean): void {
  const own = { column: { name } };
  const at = quote(name);
  const list = (...pairs: (readonly [string, string])[]): ListPlan =>
    planOn(compiled, 'GET', '/t', pairs) as ListPlan;
  expect(list([at, '5']).where, json(name)).toMatchObject([own]);
  expect(list([`${at}__gte`, '5'], [`${at}__isnull`, 'false']).where, json(name)).toMatchObject([
    { ...own, operator: '>=' },
    { ...own, kind: 'null' },
  ]);
  expect(list(['where', `${at} = 5 AND NOT ${at} IS NULL OR ${at}.gte.7`]).where, json(name)).toMatchObject([
    { conditions: [{ conditions: [own, { condition: own }] }, own] },
  ]);
  expect(list(['_filter', json({ [at]: 5 })]).where, json(name)).toMatchObject([own]);
  expect(
    (
      planOn(
        compiled,
        'POST',
        '/_search/t',
        [],
        new Map([[`${at}__in`, [1, 2].map(toJsonValue)]]),
      ) as ListPlan
    ).where,
    json(name),
  ).toMatchObject([{ ...own, kind: 'in' }]);
  expect(list(['sort', `-${at}`]).sort[0], json(name)).toMatchObject({ ...own, direction: 'DESC' });
  expect(list(['sort', `${at}:desc`]).sort[0], json(name)).toMatchObject({ ...own, direction: 'DESC' });
  expect(list(['_select', at]).select, json(name)).toMatchObject([{ name }]);
  expect(list(['_distinct', at]).select, json(name)).toMatchObject([{ name }]);
  if (hasOthers)
    expect(
      list(['_omit', at]).select.map((column) => column.name),
      json(name),
    ).not.toContain(name);
  const groups = planOn(compiled, 'GET', '/t', [
    ['_group', at],
    ['_aggregate', `n:sum:${at},${quote(`${name}!`)}:count`],
    ['_having', json({ n__gt: 5, [quote(`${name}!`)]: 1 })],
    ['sort', `-${quote(`${name}!`)},${at}`],
  ]);
  const source = { term: { source: own } };
  expect(groups, json(name)).toMatchObject({
    outputs: [{ name, ...source }, source, { name: `${name}!` }],
    having: { conditions: [{}, { column: { name: `${name}!` } }] },
    sort: [{ output: { name: `${name}!` } }, { output: { name } }],
  });
  expect(
    (planOn(compiled, 'POST', '/t', [], new Map([[name, 5]])) as CreatePlan).rows[0],
    json(name),
  ).toMatchObject([own]);
  expect(
    (planOn(compiled, 'PATCH', '/t/1', [], new Map([[name, new Map([['$inc', 2]])]])) as UpdatePlan).changes,
    json(name),
  ).toMatchObject([{ ...own, kind: 'add' }]);
  expect(planOn(compiled, 'PATCH', '/t', [[at, '5']], new Map([[name, 6]])), json(name)).toMatchObject({
    where: [own],
    changes: [{ ...own, kind: 'set' }],
  });
  expect(
    planOn(compiled, 'POST', '/t', [['_on_conflict', at]], new Map([[name, 5]])),
    json(name),
  ).toMatchObject({ kind: 'upsert', target: [{ name }] });
  checkBare(compiled, name);
}

/**
 * Checks that an unquoted name refers to the column with this name, has the meaning of its syntax, or is
 * rejected.
 */
function checkBare(compiled: CompiledSnapshot, name: string): void {
  const attempt = (...pairs: (readonly [string, string])[]): ListPlan | null => {
    try {
      const plan = planOn(compiled, 'GET', '/t', pairs);
      return plan.kind === 'list' ? plan : null;
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return null;
      throw error;
    }
  };
  const unqualified = readBare(name);
  const [, operator = '', column = ''] = /^filter (\w+) (.*)$/s.exec(unqualified) ?? [];
  const found = attempt([name, '5'])?.where[0];
  const exists = compiled.findByName('t')?.findColumn(column) !== null;
  if (exists && operator === 'eq') expect(found, json(name)).toMatchObject({ column: { name: column } });
  else if (unqualified !== 'not plain' && !exists) expect(found, json(name)).toBeUndefined();
  for (const control of ['_select', '_distinct', 'sort'] as const) {
    const plan = attempt([control, name]);
    const provided = control === 'sort' ? plan?.sort[0]?.column.name : plan?.select[0]?.name;
    // Lists of names are split at commas, and a leading sign or an asterisk has a meaning of its own.
    if (plan !== null && unqualified !== 'not plain' && !/^[-*]/.test(name) && name !== '_etag')
      expect(provided, json([control, name])).toBe(name);
  }
}

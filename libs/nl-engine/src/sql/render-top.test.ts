import { nameSnapshot, type Column, type Table } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { EMPTY_DRAFT } from '../grammar/draft.js';
import { PathBudget } from '../resolve/table-graph.js';
import { buildLexicon } from '../lexicon/build-lexicon.js';
import type { Bound } from '../resolve/assignment.js';
import type { ColumnRef, Condition, Mention } from '../types.js';
import { QueryContext } from './query-context.js';
import { renderTop } from './render-top.js';

const CITIES = rawTable('cities', [rawColumn('id', 'int(11)'), rawColumn('people', 'int(11)')]);
const SHOPS = rawTable(
  'shops',
  [rawColumn('id', 'int(11)'), rawColumn('city_id', 'int(11)'), rawColumn('turnover', 'int(11)')],
  { foreignKeys: [foreignKey('shops', 'city_id', 'cities')] },
);
const FAIRS = rawTable('fairs', [rawColumn('city_id', 'int(11)'), rawColumn('year', 'int(11)')], {
  primaryKey: ['city_id', 'year'],
});
const { snapshot, graph } = buildLexicon({
  snapshot: nameSnapshot({ engine: 'mariadb', tables: [CITIES, SHOPS, FAIRS] }, null),
  values: [],
  synonyms: [],
});

const tableOf = (name: string): Table => snapshot.tables.find((table) => table.name === name) as Table;
const columnOf = (table: string, name: string): Column =>
  tableOf(table).columns.find((column) => column.name === name) as Column;
const REF: ColumnRef = { links: [], owner: null, position: 0 };
const mentionOf = (parent: number, conditions: readonly Condition[] = []): Mention => ({
  links: [],
  parent,
  negated: false,
  quantity: null,
  conditions,
  tie: [],
  isAlternative: false,
});

/** Creates a context from the tables of several mentions and the column that is assigned to the reference. */
function contextOf(
  rows: readonly (readonly [string, Mention])[],
  bound: Partial<Bound> & { readonly mention: number; readonly column: Column },
): QueryContext {
  const tables = rows.map(([name]) => tableOf(name));
  const mentions = rows.map(([, mention]) => mention);
  const paths = mentions.map(
    ({ parent }, index) =>
      graph.findPaths(
        tables[parent] ?? (tables[index] as Table),
        tables[index] as Table,
        new PathBudget(),
      )[0] ?? [],
  );
  const columns = new Map([
    [REF, { path: [], via: null, table: tables[bound.mention] as Table, value: null, ...bound }],
  ]);
  const draft = { ...EMPTY_DRAFT, mentions, focus: 0 };
  return new QueryContext({ draft, cost: 0, tables, paths, columns, values: new Map() }, renderTop);
}

describe('the first row', () => {
  it.each([
    ['desc', ' DESC'],
    ['asc', ''],
  ] as const)(
    'renderTop selects the first row by its own column with direction "%s"',
    (direction, method) => {
      const ctx = contextOf(
        [
          ['shops', mentionOf(-1)],
          ['cities', mentionOf(0)],
        ],
        { mention: 1, column: columnOf('cities', 'people') },
      );
      expect(renderTop(ctx, ctx.main, 1, { kind: 'top', column: REF, direction })).toEqual({
        sql: `t2.\`id\` = (SELECT t1.\`id\` FROM \`cities\` AS t1 ORDER BY t1.\`people\`${method}, t1.\`id\` LIMIT 1)`,
        params: [],
      });
    },
  );

  it('renderTop sorts by the number of matching child rows', () => {
    const large: Condition = { kind: 'compare', column: REF, op: '>', value: { kind: 'number', value: 5 } };
    const ctx = contextOf(
      [
        ['cities', mentionOf(-1)],
        ['shops', mentionOf(0, [large])],
      ],
      { mention: 1, column: columnOf('shops', 'turnover') },
    );
    expect(renderTop(ctx, ctx.main, 0, { kind: 'topCount', mention: 1, direction: 'desc' })).toEqual({
      sql: 't3.`id` = (SELECT t1.`id` FROM `cities` AS t1 ORDER BY (SELECT COUNT(*) FROM `shops` AS t2 WHERE t2.`city_id` = t1.`id` AND t2.`turnover` > ?) DESC, t1.`id` LIMIT 1)',
      params: [5],
    });
    expect(ctx.isBroken).toBe(false);
  });
});

describe('a missing first row', () => {
  const people = { mention: 0, column: columnOf('cities', 'people') };

  it('renderTop returns null for a table with a composite key', () => {
    const ctx = contextOf([['fairs', mentionOf(-1)]], { mention: 0, column: columnOf('fairs', 'year') });
    expect(renderTop(ctx, ctx.main, 0, { kind: 'top', column: REF, direction: 'asc' })).toBeNull();
  });

  it('renderTop returns null for a column of another table', () => {
    const edge = graph.findPaths(tableOf('cities'), tableOf('shops'), new PathBudget())[0] ?? [];
    for (const bound of [
      { ...people, mention: 1 },
      { ...people, path: edge },
      { ...people, via: 0 },
    ]) {
      const ctx = contextOf(
        [
          ['cities', mentionOf(-1)],
          ['cities', mentionOf(-1)],
        ],
        bound,
      );
      expect(renderTop(ctx, ctx.main, 0, { kind: 'top', column: REF, direction: 'asc' })).toBeNull();
    }
  });

  it('renderTop returns null for counted rows that are not child rows', () => {
    const ctx = contextOf(
      [
        ['shops', mentionOf(-1)],
        ['cities', mentionOf(0)],
        ['shops', mentionOf(1)],
      ],
      people,
    );
    for (const counted of [1, 2])
      expect(
        renderTop(ctx, ctx.main, 0, { kind: 'topCount', mention: counted, direction: 'desc' }),
      ).toBeNull();
  });
});

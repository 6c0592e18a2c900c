import { describe, expect, it } from 'vitest';
import { namesOf, readNamesSteps } from './schema-names.js';
import { routeQuery } from './route-query.js';
import type { RouteSchema } from '../types.js';

const SCHEMA: RouteSchema = {
  tables: [
    { name: 'Posts', columns: ['id', 'Title'] },
    { name: 'tags', columns: ['THE'] },
  ],
};

describe('namesOf', () => {
  it('namesOf returns normalized tables and columns, and all names as words', () => {
    const { tables, columns, words } = namesOf(SCHEMA);
    expect([...tables.keys()]).toEqual(['posts', 'tags']);
    expect([...columns]).toEqual(['id', 'title', 'the']);
    expect([...words]).toEqual(['POSTS', 'TAGS', 'ID', 'TITLE', 'THE']);
    expect(namesOf(SCHEMA).tables).toBe(tables);
  });

  it('readNamesSteps reads a thousand columns per step', () => {
    const wide: RouteSchema = {
      tables: Array.from({ length: 50 }, (_, position) => ({
        name: `t${position}`,
        columns: Array.from({ length: 200 }, (_column, column) => `c${column}`),
      })),
    };
    const steps = readNamesSteps(wide);
    let count = 0;
    while (steps.next().done !== true) count += 1;
    expect([count, namesOf(wide).columns.size]).toEqual([10, 200]);
    expect(namesOf(wide)).toBe(namesOf(wide));
  });

  it.each([
    'SELECT the FROM tags',
    `SELECT ${'the, '.repeat(1_900)}the FROM tags`,
    `SELECT ${'form, '.repeat(600)}the FORM tags`,
  ])('findMisspeltWords reads 100,000 columns in a few passes: %.40s', (text) => {
    const tables = [
      ...Array.from({ length: 100 }, (_, position) => ({
        name: `t${position}`,
        columns: Array.from({ length: 1_000 }, (_column, column) => `c${position}_${column}`),
      })),
      ...SCHEMA.tables,
    ];
    let checkCount = 0;
    const wide: RouteSchema = {
      tables: tables.map(({ name, columns }) => ({
        name,
        get columns() {
          checkCount += 1;
          return columns;
        },
      })),
    };
    routeQuery(text, wide);
    expect(checkCount).toBeGreaterThan(0);
    expect(checkCount).toBeLessThanOrEqual(5 * tables.length);
  });
});

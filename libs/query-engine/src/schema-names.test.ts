import { describe, expect, it } from 'vitest';
import { namesOf } from './schema-names.js';
import { routeQuery } from './route-query.js';
import type { RouteSchema } from './types.js';

const SCHEMA: RouteSchema = { tables: [{ name: 'Posts', columns: ['id', 'Title'] }, { name: 'tags', columns: ['THE'] }] };

describe('namesOf', () => {
  it('has tables and columns folded, and all of them as words', () => {
    const { tables, columns, words } = namesOf(SCHEMA);
    expect([...tables.keys()]).toEqual(['posts', 'tags']);
    expect([...columns]).toEqual(['id', 'title', 'the']);
    expect([...words]).toEqual(['POSTS', 'TAGS', 'ID', 'TITLE', 'THE']);
    expect(namesOf(SCHEMA).tables).toBe(tables);
  });

  it.each(['SELECT the FROM tags', `SELECT ${'the, '.repeat(1_900)}the FROM tags`, `SELECT ${'form, '.repeat(600)}the FORM tags`])('tells SQL of many words over 100,000 columns at once: %.40s', (text) => {
    const wide: RouteSchema = { tables: [...Array.from({ length: 100 }, (_, at) => ({ name: `t${at}`, columns: Array.from({ length: 1_000 }, (_column, column) => `c${at}_${column}`) })), ...SCHEMA.tables] };
    const beganMs = performance.now();
    routeQuery(text, wide);
    expect(performance.now() - beganMs).toBeLessThan(3_000);
  });
});

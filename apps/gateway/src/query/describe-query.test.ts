import type { GuardedQuery } from '@rowhouse/query-engine';
import { describe, expect, it } from 'vitest';
import { describeWarnings } from './describe-query.js';

const select = (sql: string): GuardedQuery => ({
  kind: 'select',
  text: sql,
  sql,
  runSql: sql,
  substitutions: new Map(),
  params: [],
  tables: [],
  shape: sql,
  aliases: new Map(),
});
const run = (isTruncated: boolean): Parameters<typeof describeWarnings>[1] => ({
  rows: { json: '[]', rowCount: 5, isTruncated, columns: [] },
  elapsedMs: 1,
  written: null,
});

describe('describeWarnings', () => {
  it.each([
    ['SELECT 1', false, 0],
    ['SELECT id FROM users', true, 2],
    ['SELECT id FROM users ORDER BY id', true, 1],
    ['WITH RECURSIVE n AS (SELECT 1) SELECT * FROM n', false, 1],
  ])('describeWarnings returns every warning about %s (truncated: %s)', (sql, isTruncated, count) => {
    expect(describeWarnings(select(sql), run(isTruncated))).toHaveLength(count);
  });
});

import type { CountedStep } from '@rowhouse/query-engine';
import { describe, expect, it } from 'vitest';
import { compileBlog } from '../../test/support/cost-stage.js';
import { toCostError, type CostedStatement } from './query-costs.js';

const compiled = compileBlog();
/** Creates a statement in which `p` is the alias of posts. The key cannot see the tables of other aliases. */
function statementWith(proposeIndex: CostedStatement['proposeIndex'] = () => null): CostedStatement {
  return {
    compiled,
    shape: '',
    sql: '',
    params: [],
    isPlain: () => false,
    tableOf: (alias) => (alias === 'p' ? compiled.findByName('posts') : null),
    proposeIndex,
  };
}
const stepOf = (table: string | null, changes: Partial<CountedStep> = {}): CountedStep => ({
  id: 1,
  select: 'SIMPLE',
  table,
  access: 'ALL',
  rows: 10,
  filteredShare: 1,
  notes: '',
  examined: 10,
  ...changes,
});

describe('the error for too many examined rows', () => {
  it('the query cost error contains rows, budget and steps with visible names', () => {
    const error = toCostError(
      statementWith(),
      {
        rows: 1_234_567.4,
        steps: [
          stepOf('p'),
          stepOf('secrets', { access: 'ref' }),
          stepOf('<derived2>'),
          stepOf(null, { access: '' }),
        ],
      },
      3_000,
    );
    expect(error).toMatchObject({
      code: 'limit.query_cost',
      detail: 'The statement would examine about 1,234,567 rows. The limit is 3,000.',
      hint: expect.stringContaining('rows_examined_max'),
    });
    expect(error.extra).toEqual({
      rows_expected: 1_234_567,
      rows_examined_max: 3_000,
      index_sql: null,
      plan: [
        { table: 'posts', access: 'ALL', rows: 10 },
        { table: '(view)', access: 'ref', rows: 10 },
        { table: '<derived2>', access: 'ALL', rows: 10 },
        { table: null, access: null, rows: 10 },
      ],
    });
  });

  it('the query cost error proposes an index for the most expensive scan', () => {
    const requests: string[] = [];
    const statement = statementWith((alias) => {
      requests.push(alias);
      return alias === 'p' ? 'CREATE INDEX x' : null;
    });
    const steps = [
      stepOf('found', { access: 'ref', examined: 9_000 }),
      stepOf('p', { access: 'index', examined: 500 }),
      stepOf('<subquery2>', { examined: 800 }),
      stepOf('other', { access: 'fulltext ALL', examined: 700 }),
    ];
    const error = toCostError(statement, { rows: 11_000, steps }, 3_000);
    expect(requests).toEqual(['other', 'p']);
    expect([error.extra['index_sql'], error.hint]).toEqual([
      'CREATE INDEX x',
      'Add the missing index: CREATE INDEX x. Or filter by a column that has one.',
    ]);
  });

  it('the query cost error contains the first eight steps of the plan', () => {
    const { extra } = toCostError(
      statementWith(),
      { rows: 9_000, steps: Array.from({ length: 12 }, (_, index) => stepOf('p', { rows: index })) },
      3_000,
    );
    expect((extra['plan'] as { rows: number }[]).map(({ rows }) => rows)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });
});

import { nameSnapshot, type RawTable, type Table } from '@rowhouse/schema-model';
import { EXAMPLE_SCHEMA, foreignKey, rawColumn, rawTable, uniqueIndex } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { createRowMaker } from './create-row-maker.js';
import type { SampleRow, SampleValue } from './types.js';

const NOW_MS = Date.UTC(2026, 0, 1);
const named = (...tables: RawTable[]): readonly Table[] =>
  nameSnapshot({ engine: 'mariadb', tables }, null).tables;
const nothing = { parents: new Map(), openKeys: new Set<string>(), ownKeys: new Set<string>() };

function make(
  table: Table | undefined,
  rows: number,
  parents: ReadonlyMap<string, SampleValue[][]> = new Map(),
  seed = 'one',
): readonly SampleRow[] {
  if (table === undefined) throw new Error('no such table');
  return createRowMaker(table, { seed, rows, nowMs: NOW_MS, firstNumber: 1 }).make(rows, {
    ...nothing,
    parents,
  }).rows;
}

describe('createRowMaker', () => {
  const users = nameSnapshot(EXAMPLE_SCHEMA, null).tables.find((table) => table.name === 'users');

  it('sample rows depend only on the seed number', () => {
    expect(make(users, 50)).toEqual(make(users, 50));
    expect(make(users, 5)).not.toEqual(make(users, 5, new Map(), 'two'));
  });

  it('sample rows have fitting values, dates of the last year and unique keys', () => {
    const rows = make(users, 400);
    expect(rows).toHaveLength(400);
    expect(new Set(rows.map((row) => row['email'])).size).toBe(400);
    expect(rows.map((row) => row['id'])).toEqual(rows.map((_, index) => index + 1));
    for (const row of rows) expect(row['email']).toMatch(/^[a-z0-9.-]+@example\.(com|org|net)$/);
    const dates = rows.map((row) => String(row['created_at']));
    expect(dates).toEqual([...dates].sort());
    expect([dates[0]?.slice(0, 7), dates.at(-1)?.slice(0, 7)]).toEqual(['2025-01', '2025-12']);
  });

  it('the name, email address and login of a sample row belong to one person', () => {
    const [people] = named(
      rawTable(
        'people',
        ['first_name', 'last_name', 'email', 'name'].map((name) => rawColumn(name, 'varchar(80)')),
        { primaryKey: null },
      ),
    );
    for (const row of make(people, 30))
      expect([row['name'], String(row['email']).replace(/@.*/, '')]).toEqual([
        `${String(row['first_name'])} ${String(row['last_name'])}`,
        `${String(row['first_name'])}.${String(row['last_name'])}`.toLowerCase(),
      ]);
  });

  it('sample texts fit their columns, and sample rows end when unique values run out', () => {
    const [codes] = named(rawTable('codes', [rawColumn('code', 'varchar(2)')], { primaryKey: ['code'] }));
    expect(make(codes, 50).every((row) => String(row['code']).length <= 2)).toBe(true);
    const [flags] = named(rawTable('flags', [rawColumn('flag', 'tinyint(1)')], { primaryKey: ['flag'] }));
    if (flags === undefined) throw new Error('no table');
    const created = createRowMaker(flags, { seed: 'one', rows: 5, nowMs: NOW_MS, firstNumber: 1 }).make(
      5,
      nothing,
    );
    expect([created.rows.length, created.shortage]).toEqual([2, expect.stringContaining('no more rows')]);
  });

  it('foreign keys of sample rows reference existing rows, at most once if unique', () => {
    const [badges] = named(
      rawTable(
        'badges',
        [rawColumn('id', 'int(11)', { autoIncrement: true }), rawColumn('user_id', 'int(11)')],
        {
          foreignKeys: [foreignKey('badges', 'user_id', 'users')],
          indexes: [uniqueIndex('one', ['user_id'])],
        },
      ),
    );
    const key = badges?.foreignKeys[0]?.name ?? '';
    const rows = make(
      badges,
      30,
      new Map([[key, Array.from({ length: 30 }, (_, index): SampleValue[] => [index + 100])]]),
    );
    expect([...rows].map((row) => Number(row['user_id'])).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 100),
    );
  });
});

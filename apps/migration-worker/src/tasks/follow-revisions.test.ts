import { lineageBetween, type NameState, type SchemaNames } from '@rowhouse/ddl-plan';
import type { RevisionText } from '@rowhouse/platform-store';
import { describe, expect, it } from 'vitest';
import { followRevisions, followText } from './follow-revisions.js';

const SERVER = { engine: 'mariadb', engineVersion: '10.11.6-MariaDB' } as const;

/** Parses `t(a,b) u(c)` as the names of a schema. */
function names(text: string): SchemaNames {
  const tables = [...text.matchAll(/(\w+)\(([^)]*)\)/g)].map(([, name = '', columns = '']) => ({
    name,
    kind: 'table',
    columns: columns.split(',').map((column) => ({ name: column })),
  }));
  return { tables } as unknown as SchemaNames;
}

type Step = readonly [text: string, schema: string, more?: Partial<RevisionText>];

/**
 * Returns the origin of each name of the last schema in revision `deployed`, as
 * `t(a,b) u(c)` with `-` for a new name.
 */
async function origins(
  base: string,
  steps: readonly Step[],
  deployed = 0,
  target = steps.length,
): Promise<string> {
  const rows = steps.map(([statements, , more], index): RevisionText => ({
    revision: index + 1,
    statements,
    restores: null,
    mode: 'apply',
    renames: [],
    ...more,
  }));
  const read = (revision: number): Promise<SchemaNames> =>
    Promise.resolve(names(revision === 0 ? base : (steps[revision - 1]?.[1] ?? '')));
  const followed = await followRevisions(rows, {
    lowest: 0,
    read,
    server: SERVER,
    stops: [deployed, target],
  });
  const fault = followed.faults.get(target);
  if (fault !== undefined) return fault.code;
  return describeLineage(
    followed.states.get(deployed) as NameState,
    followed.states.get(target) as NameState,
    names(target === 0 ? base : (steps[target - 1]?.[1] ?? '')),
  );
}

function describeLineage(from: NameState, to: NameState, schema: SchemaNames): string {
  const { tables } = lineageBetween(from, to);
  return schema.tables
    .map(
      ({ name, columns }) =>
        `${tables.get(name)?.name ?? '-'}(${columns.map((column) => tables.get(name)?.columns.get(column.name)?.name ?? '-').join(',')})`,
    )
    .join(' ');
}

const T = 't(id,a,b)';

describe('followRevisions', () => {
  it.each<[string, string, string, string]>([
    [
      'a swap by RENAME COLUMN',
      'ALTER TABLE t RENAME COLUMN a TO b, RENAME COLUMN b TO a',
      't(id,b,a)',
      't(id,a,b)',
    ],
    ['a swap by CHANGE', 'ALTER TABLE t CHANGE a b BIGINT, CHANGE b a INT', 't(id,b,a)', 't(id,a,b)'],
    [
      'a rotation',
      'ALTER TABLE t RENAME COLUMN id TO a, RENAME COLUMN a TO b, RENAME COLUMN b TO id',
      't(a,b,id)',
      't(id,a,b)',
    ],
    [
      'a name that is freed and given to a new column',
      'ALTER TABLE t RENAME COLUMN a TO c, ADD a INT',
      't(id,c,b,a)',
      't(id,a,b,-)',
    ],
    [
      'a dropped column whose name another one takes',
      'ALTER TABLE t DROP b, RENAME COLUMN a TO b',
      't(id,b)',
      't(id,a)',
    ],
    [
      'a column that is dropped and added again',
      'ALTER TABLE t DROP a; ALTER TABLE t ADD a INT',
      't(id,b,a)',
      't(id,b,-)',
    ],
    [
      'a chain of renames',
      'ALTER TABLE t RENAME COLUMN a TO x; ALTER TABLE t RENAME COLUMN x TO y',
      't(id,y,b)',
      't(id,a,b)',
    ],
    [
      'a column that is renamed, dropped and added',
      'ALTER TABLE t RENAME COLUMN a TO x; ALTER TABLE t DROP x; ALTER TABLE t ADD a INT',
      't(id,b,a)',
      't(id,b,-)',
    ],
    [
      'a table that makes room for a new one',
      'RENAME TABLE t TO t_old; CREATE TABLE t (id INT, a INT)',
      't(id,a) t_old(id,a,b)',
      '-(-,-) t(id,a,b)',
    ],
    [
      'a table that is dropped and created again',
      'DROP TABLE t; CREATE TABLE t (id INT, a INT, b INT)',
      T,
      '-(-,-,-)',
    ],
    ['a table that is replaced', 'CREATE OR REPLACE TABLE t (id INT)', 't(id)', '-(-)'],
    [
      'an existing table that is not created',
      'CREATE TABLE IF NOT EXISTS t (x INT); ALTER TABLE t CHANGE a c INT',
      't(id,c,b)',
      't(id,a,b)',
    ],
    [
      'a copy of a table',
      'CREATE TABLE u LIKE t; RENAME TABLE u TO v',
      't(id,a,b) v(id,a,b)',
      't(id,a,b) -(-,-,-)',
    ],
    [
      'a rename of a table with those of its columns',
      'ALTER TABLE t RENAME TO u, RENAME COLUMN a TO c',
      'u(id,c,b)',
      't(id,a,b)',
    ],
    [
      'clauses that apply only if something exists',
      'ALTER TABLE IF EXISTS x RENAME TO y; ALTER TABLE t DROP COLUMN IF EXISTS z, CHANGE IF EXISTS z q INT, ADD COLUMN IF NOT EXISTS a INT, DROP COLUMN b',
      't(id,a)',
      't(id,a)',
    ],
    [
      'a name that only changes its case',
      'ALTER TABLE t RENAME COLUMN A TO `A`, CHANGE b B INT',
      't(id,A,B)',
      't(id,a,b)',
    ],
    [
      'a rename that comes before its table',
      'RENAME TABLE u TO v; CREATE TABLE u (x INT)',
      't(id,a,b) v(x)',
      't(id,a,b) -(-)',
    ],
  ])('followRevisions matches columns with their origins after %s', async (_what, text, schema, expected) => {
    expect(await origins(T, [[text, schema]])).toBe(expected);
  });

  it('followRevisions matches tables whose names are swapped or rotated', async () => {
    expect(await origins('a(x) b(y) c(z)', [['RENAME TABLE a TO o, b TO a, o TO b', 'a(y) b(x) c(z)']])).toBe(
      'b(y) a(x) c(z)',
    );
    expect(
      await origins('a(x) b(y) c(z)', [
        ['RENAME TABLE a TO o; RENAME TABLE c TO a, b TO c; ALTER TABLE o RENAME TO b', 'a(z) b(x) c(y)'],
      ]),
    ).toBe('c(z) a(x) b(y)');
    expect(await origins('t(x) u(y)', [['DROP TABLE u; RENAME TABLE t TO u', 'u(x)']])).toBe('t(x)');
  });

  it('followRevisions combines the renames of several revisions', async () => {
    const steps: Step[] = [
      ['ALTER TABLE t RENAME COLUMN a TO c', 't(id,c,b)'],
      ['ALTER TABLE t ADD n INT', 't(id,c,b,n)'],
      ['ALTER TABLE t RENAME COLUMN b TO a, DROP n', 't(id,c,a)'],
    ];
    expect(await origins(T, steps)).toBe('t(id,a,b)');
    expect(await origins(T, steps, 1)).toBe('t(id,c,b)');
    expect(await origins(T, steps, 2)).toBe('t(id,c,b)');
    expect(await origins(T, steps, 3)).toBe('t(id,c,a)');
  });

  it('followRevisions() finds the objects of an earlier revision under their names of that time', async () => {
    const steps: Step[] = [
      ['ALTER TABLE t RENAME COLUMN a TO b, RENAME COLUMN b TO a', 't(id,b,a)'],
      ['DROP TABLE t; CREATE TABLE t (id INT)', 't(id)'],
    ];
    expect(await origins(T, steps, 1, 0)).toBe('t(id,b,a)');
    expect(await origins(T, steps, 2, 1)).toBe('-(-,-,-)');
  });

  it('followRevisions matches a restored revision with its own earlier objects', async () => {
    const swap = 'ALTER TABLE t RENAME COLUMN a TO b, RENAME COLUMN b TO a';
    const restored: Step = ['-- Revision 1 again', 't(id,b,a)', { restores: 1 }];
    const steps: Step[] = [[swap, 't(id,b,a)'], ['ALTER TABLE t DROP a', 't(id,b)'], restored];
    expect(await origins(T, steps)).toBe('t(id,a,b)');
    expect(await origins(T, steps, 1)).toBe('t(id,b,a)');
    expect(await origins(T, steps, 2)).toBe('t(id,b,-)');
    const undone: Step[] = [
      [swap, 't(id,b,a)'],
      ['-- Revision 0 again', T, { restores: 0 }],
      ['ALTER TABLE t RENAME COLUMN a TO z', 't(id,z,b)'],
    ];
    expect(await origins(T, undone, 1)).toBe('t(id,b,a)');
  });

  it('followRevisions matches a text that describes the whole schema by names', async () => {
    const dump = 'DROP TABLE IF EXISTS t; CREATE TABLE t (id INT, a INT, c INT)';
    expect(await origins(T, [[dump, 't(id,a,c)', { mode: 'replace' }]])).toBe('t(id,a,-)');
    expect(await origins(T, [[dump, 't(id,a,c)', { mode: null }]])).toBe('t(id,a,-)');
    expect(
      await origins(T, [
        ['CREATE TABLE t (id INT, a INT, b INT); RENAME TABLE t TO u', 'u(id,a,b)', { mode: 'replace' }],
      ]),
    ).toBe('t(id,a,b)');
    expect(
      await origins(T, [
        [
          'CREATE TABLE u (id INT, c INT)',
          'u(id,c)',
          {
            mode: 'replace',
            renames: [
              { kind: 'table', from: 't', to: 'u' },
              { kind: 'column', table: 'u', from: 'a', to: 'c' },
            ],
          },
        ],
      ]),
    ).toBe('t(id,a)');
  });

  it('followRevisions treats a dropped and an added column as one after a declared rename', async () => {
    const steps: Step[] = [
      ['ALTER TABLE t DROP a, ADD c INT', 't(id,b,c)'],
      [
        'CREATE TABLE t (id INT, b INT, c INT)',
        't(id,b,c)',
        { mode: 'replace', renames: [{ kind: 'column', table: 't', from: 'a', to: 'c' }] },
      ],
    ];
    expect(await origins(T, steps, 0, 1)).toBe('t(id,b,-)');
    expect(await origins(T, steps)).toBe('t(id,b,a)');
    expect(await origins(T, steps, 1)).toBe('t(id,b,c)');
    const old: Step[] = [
      ['DROP TABLE t; CREATE TABLE u (id INT)', 'u(id)'],
      ['RENAME TABLE `t` TO `u`;\nCREATE TABLE u (id INT)', 'u(id)', { mode: null }],
    ];
    expect(await origins(T, old)).toBe('t(id)');
  });

  it('followRevisions rejects a schema text whose statements it cannot read', async () => {
    const steps: Step[] = [
      ['ALTER TABLE t RENAME COLUMN a TO c', 't(id,b,x)'],
      ['-- Revision 0 again', T, { restores: 0 }],
      ['ALTER TABLE t RENAME COLUMN a TO c', 't(id,c,b)'],
    ];
    expect(await origins(T, steps, 0, 1)).toBe('schema.rename_not_possible');
    expect(await origins(T, steps)).toBe('t(id,a,b)');
  });

  it('followRevisions accepts a schema text that is not a revision yet', async () => {
    const followed = await followRevisions([], {
      lowest: 4,
      read: () => Promise.resolve(names(T)),
      server: SERVER,
      stops: [4],
    });
    const state = followed.states.get(4) as NameState;
    const after = await followText(
      { state, fault: null },
      { sql: 'ALTER TABLE t RENAME COLUMN a TO c', mode: 'apply' },
      followed,
      SERVER,
    );
    expect(describeLineage(state, after(names('t(id,c,b)')).state, names('t(id,c,b)'))).toBe('t(id,a,b)');
    expect(after(names('t(id,d,b)')).fault).toMatchObject({ code: 'schema.rename_not_possible' });
  });
});

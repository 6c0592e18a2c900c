import type { TableRights } from '@rowhouse/contracts';
import { describe, expect, it } from 'vitest';
import { planReadGrants, planWriteGrants } from './read-grants.js';

/** Two of these table names are also names of properties that JavaScript objects inherit. */
const tables = ['posts', 'constructor', 'toString'].map((name) => ({
  name,
  kind: 'table' as const,
  columns: [],
}));

const rightsOf = (...named: readonly [string, TableRights[string]][]): TableRights =>
  Object.fromEntries(named);

describe('grants', () => {
  it('read grants cover only the listed tables, even one named like an object property', () => {
    expect(planReadGrants(tables, { posts: ['read'] }, {})).toEqual({
      kind: 'tables',
      tables: new Map([['posts', null]]),
    });
    expect(planReadGrants(tables, rightsOf(['constructor', ['read']]), { posts: ['id'] })).toEqual({
      kind: 'tables',
      tables: new Map([['constructor', null]]),
    });
  });

  it('write grants cover only the tables that are named', () => {
    const plan = planWriteGrants(
      tables,
      rightsOf(['posts', ['read', 'write']], ['toString', ['delete']]),
      {},
    );
    expect(
      Object.fromEntries(
        [...plan].map(([privilege, grants]) => [
          privilege,
          grants.kind === 'tables' ? [...grants.tables.keys()] : grants.kind,
        ]),
      ),
    ).toEqual({
      SELECT: ['posts'],
      INSERT: ['posts'],
      UPDATE: ['posts'],
      DELETE: ['toString'],
    });
  });
});

import type { RunStatement } from '@rowhouse/mysql';
import { findNarrowingColumns, isPlainSelect, type GuardedRead, type GuardedWrite } from '@rowhouse/query-engine';
import { proposeIndex, type CompiledSnapshot, type CompiledTable } from '@rowhouse/schema-model';
import type { Tenant } from '../../tenant/tenant.js';
import type { Gateway } from '../gateway.js';
import type { CostedStatement } from './query-costs.js';

/** Before a text of a user runs, on the session that it will run on. Throws `limit.query_cost`. */
export async function admitQuery({ costs }: Pick<Gateway, 'costs'>, tenant: Tenant, query: GuardedRead | GuardedWrite, compiled: CompiledSnapshot, run: RunStatement): Promise<void> {
  if (isJudged(query)) await costs.admit(tenant, toCosted(query, compiled), run);
}

/** What only puts given rows somewhere looks at none. */
function isJudged({ kind, shape }: GuardedRead | GuardedWrite): boolean {
  return kind !== 'explain' && (kind !== 'insert' || /\bSELECT\b/i.test(shape));
}

function toCosted(query: GuardedRead | GuardedWrite, compiled: CompiledSnapshot): CostedStatement {
  const { runSql, aliases } = query;
  const tableOf = (alias: string): CompiledTable | null => compiled.findByName(aliases.get(alias) ?? alias);
  return {
    compiled, tableOf,
    shape: query.shape,
    sql: runSql,
    params: query.params,
    isPlain: () => query.kind === 'select' && isPlainSelect(runSql),
    proposeIndex(alias) {
      const table = tableOf(alias);
      if (table === null) return null;
      const { equal, range, sort } = findNarrowingColumns(runSql, alias, (column) => table.findColumn(column) !== null);
      return range.length > 0 || equal.length > 0 ? proposeIndex(table.source, [...equal, ...range.slice(0, 1)], range.length > 0 ? [] : sort) : null;
    },
  };
}

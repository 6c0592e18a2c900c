import { ignoreRows, toStatementBound, type RunStatement } from '@rowhouse/mysql';
import {
  findNarrowingColumns,
  isPlainSelect,
  type GuardedRead,
  type GuardedWrite,
} from '@rowhouse/query-engine';
import { proposeIndex, type CompiledSnapshot, type CompiledTable } from '@rowhouse/schema-model';
import type { Tenant } from '../tenant/tenant.js';
import type { CostedStatement, QueryCosts } from './query-costs.js';

/** If an admission took at most this many milliseconds, the time limit of the statement is not reduced. */
const NEGLIGIBLE_MS = 20;
const NO_JOIN_BUFFER = 'block_nested_loop=off';

export interface AdmitBounds {
  /** The time limit of the statement, including its admission. */
  readonly statementMsMax: number;
  /**
   * The maximum number of rows that the engine should return, or null for all. An explicit LIMIT overrides
   * it.
   */
  readonly rowsMax: number | null;
}

/**
 * Checks the cost of a user's statement before it runs, and sets its limits on the session. The session must
 * be reset afterwards. Returns the remaining time of the statement in ms, because the engine may take long to
 * plan many joined tables.
 *
 * @throws AppError `limit.query_cost`
 */
export async function admitQuery(
  costs: QueryCosts,
  tenant: Tenant,
  query: GuardedRead | GuardedWrite,
  compiled: CompiledSnapshot,
  run: RunStatement,
  { statementMsMax, rowsMax }: AdmitBounds,
): Promise<number> {
  const startedMs = performance.now();
  const spills = examinesRows(query) && (await costs.admit(tenant, toCosted(query, compiled), run)).spills;
  const spentMs = performance.now() - startedMs;
  const remainingMs = Math.max(1, statementMsMax - spentMs);
  const bound = toStatementBound(tenant.database.record.server.engine, remainingMs);
  const settings: (readonly [name: string, value: string | number])[] = [
    ...(rowsMax === null ? [] : [['sql_select_limit', rowsMax] as const]),
    ...(spills ? [['optimizer_switch', NO_JOIN_BUFFER] as const] : []),
    ...(rowsMax !== null || spills || spentMs > NEGLIGIBLE_MS
      ? [[bound.variable, bound.value] as const]
      : []),
  ];
  if (settings.length > 0)
    await run(
      `SET SESSION ${settings.map(([name]) => `${name} = ?`).join(', ')}`,
      settings.map(([, value]) => value),
      ignoreRows,
    );
  return remainingMs;
}

/** Returns whether the statement examines rows. An INSERT whose rows are literals does not. */
function examinesRows({ kind, shape }: GuardedRead | GuardedWrite): boolean {
  return kind !== 'explain' && (kind !== 'insert' || /\bSELECT\b/i.test(shape));
}

function toCosted(query: GuardedRead | GuardedWrite, compiled: CompiledSnapshot): CostedStatement {
  const { runSql, aliases } = query;
  const tableOf = (alias: string): CompiledTable | null => compiled.findByName(aliases.get(alias) ?? alias);
  return {
    compiled,
    tableOf,
    shape: query.shape,
    sql: runSql,
    params: query.params,
    isPlain: () => query.kind === 'select' && isPlainSelect(runSql),
    proposeIndex(alias) {
      const table = tableOf(alias);
      if (table === null) return null;
      const { equal, range, sort } = findNarrowingColumns(
        runSql,
        alias,
        (column) => table.findColumn(column) !== null,
      );
      return range.length > 0 || equal.length > 0
        ? proposeIndex(table.source, [...equal, ...range.slice(0, 1)], range.length > 0 ? [] : sort)
        : null;
    },
  };
}

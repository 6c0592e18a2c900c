import { runStatements, type RunStatement, type TenantPools } from '@rowhouse/mysql';
import {
  mayScan,
  proposeListIndex,
  type FilteredPlan,
  type Plan,
  type Statement,
} from '@rowhouse/rest-engine';
import type { CompiledTable } from '@rowhouse/schema-model';
import { toPlanError } from '../statements/plan-error.js';
import { CONNECTION_WAIT_MS, rowsTarget, type WriteGuard } from '../statements/run-program.js';
import type { AdmitNext } from '../statements/run-rounds.js';
import type { Tenant } from '../tenant/tenant.js';
import type { CostedStatement, QueryCosts } from './query-costs.js';

export interface CostServices {
  /** The budgets for the rows that statements may examine. */
  readonly costs: QueryCosts;
  readonly pools: TenantPools;
}

/**
 * Checks the cost of a plan's first statements on a separate session. Only lists, aggregates and filtered
 * writes without a suitable index are checked. Returns null when no check is needed.
 *
 * @throws AppError `limit.query_cost`
 */
export function admitPlan(
  services: CostServices,
  tenant: Tenant,
  plan: Plan,
  statements: readonly Statement[],
): Promise<void> | null {
  const costed = listExpensive(services, tenant, plan, statements);
  return costed === null ? null : admitOnOwnSession(services, tenant, plan, costed);
}

async function admitOnOwnSession(
  services: CostServices,
  tenant: Tenant,
  plan: Plan,
  costed: readonly CostedStatement[],
): Promise<void> {
  try {
    await runStatements(
      services.pools,
      rowsTarget(tenant.database),
      { mode: 'read', waitMs: CONNECTION_WAIT_MS },
      (run) => admitAll(services, tenant, costed, run),
    );
  } catch (error) {
    throw toPlanError(error, plan);
  }
}

/**
 * Checks the cost of a plan's first statements, as `admitPlan` does, but on a session that is already open.
 */
export function admitPlanOn(
  services: CostServices,
  tenant: Tenant,
  plan: Plan,
  statements: readonly Statement[],
  run: RunStatement,
): Promise<void> | null {
  const costed = listExpensive(services, tenant, plan, statements);
  return costed === null ? null : admitAll(services, tenant, costed, run);
}

/**
 * Adds the cost check to the guard of an idempotent write, after its record was inserted. A rejection rolls
 * the record back. A replay is not checked.
 */
export function withAdmission(
  services: CostServices,
  tenant: Tenant,
  plan: Plan,
  statements: readonly Statement[],
  guard: WriteGuard,
): WriteGuard {
  return {
    async begin(run) {
      await guard.begin(run);
      await admitPlanOn(services, tenant, plan, statements, run);
    },
    end: (run, response) => guard.end(run, response),
  };
}

/**
 * Returns a function that checks counts of related records, which run after a plan's first statements.
 * Returns null when the plan has no such counts. The function rejects with `limit.query_cost`.
 */
export function createNextAdmission(services: CostServices, tenant: Tenant, plan: Plan): AdmitNext | null {
  if ((plan.kind !== 'list' && plan.kind !== 'read') || plan.include.length === 0) return null;
  return (statement, run) => {
    const { counted } = statement;
    if (counted === undefined || services.costs.isCheap(tenant, plan.table.schema, statement.sql))
      return null;
    const costed: CostedStatement = {
      compiled: plan.table.schema,
      shape: statement.sql,
      sql: statement.sql,
      params: statement.params,
      isPlain: () => false,
      tableOf: (alias) => (alias === 'f' ? counted : null),
      proposeIndex: () => null,
    };
    return run === null
      ? admitOnOwnSession(services, tenant, plan, [costed])
      : admitAll(services, tenant, [costed], run);
  };
}

async function admitAll(
  { costs }: Pick<CostServices, 'costs'>,
  tenant: Tenant,
  costed: readonly CostedStatement[],
  run: RunStatement,
): Promise<void> {
  for (const statement of costed) await costs.admit(tenant, statement, run);
}

/** Returns the statements to check, or null when none needs a check. */
function listExpensive(
  { costs }: Pick<CostServices, 'costs'>,
  tenant: Tenant,
  plan: Plan,
  statements: readonly Statement[],
): CostedStatement[] | null {
  if ((statements.length === 1 && statements[0]?.isShort === true) || !mayScan(plan)) return null;
  const expensive = statements.filter(
    (statement) => isChecked(plan, statement) && !costs.isCheap(tenant, plan.table.schema, statement.sql),
  );
  return expensive.length === 0 ? null : expensive.map((statement) => toCosted(plan, statement));
}

/**
 * Returns whether the cost of a statement is checked. In a filtered write, only the first statement searches
 * for records. An estimated count without conditions only reads statistics, so it is not checked.
 */
function isChecked(plan: FilteredPlan, { role }: Statement): boolean {
  return (
    role.kind === 'records' ||
    role.kind === 'lock' ||
    (role.kind === 'count' &&
      !(plan.kind === 'list' && plan.count === 'estimated' && plan.where.length === 0))
  );
}

function toCosted(plan: FilteredPlan, statement: Statement): CostedStatement {
  const { table } = plan;
  const isOwn = (alias: string): boolean => alias === table.name || alias === 't';
  return {
    compiled: table.schema,
    // The SQL text is the same for all requests that differ only in their values.
    shape: statement.sql,
    sql: statement.sql,
    params: statement.params,
    isPlain: () => plan.kind === 'list' && !plan.isDistinct && statement.role.kind === 'records',
    tableOf: (alias) => (isOwn(alias) ? table : findOther(plan)),
    proposeIndex: (alias) => (isOwn(alias) ? proposeListIndex(plan) : null),
  };
}

/**
 * Returns the other table of a plan, if there is exactly one. The statement refers to related tables by short
 * aliases.
 */
function findOther({ table, touches }: FilteredPlan): CompiledTable | null {
  const others = new Set(touches.map((touch) => touch.table).filter((name) => name !== table.name));
  const [only] = others;
  return only === undefined || others.size > 1 ? null : table.schema.findByName(only);
}

import { collectRows, DatabaseFault, type BindValue, type RunStatement } from '@rowhouse/mysql';
import { estimateRows, explainPrefix, isCutShort, readExplain, type ExplainStep, type RowsEstimate } from '@rowhouse/query-engine';
import { Counter, type Registry } from '@rowhouse/runtime';
import type { CompiledSnapshot, CompiledTable, EngineKind } from '@rowhouse/schema-model';
import type { Tenant } from '../../tenant/tenant.js';
import { toCostError } from './cost-error.js';

/** A statement that may be dear, and what is known of it beside its text. */
export interface CostedStatement {
  readonly compiled: CompiledSnapshot;
  /** Equal for statements that differ in nothing but their values. */
  readonly shape: string;
  readonly sql: string;
  readonly params: readonly BindValue[];
  /** Whether its rows go out as they are found. */
  isPlain(): boolean;
  /** The table that it calls so; null where that is none that the key may see. */
  tableOf(alias: string): CompiledTable | null;
  /** DDL of an index on that table that would spare the engine most of it; null where none would. */
  proposeIndex(alias: string): string | null;
}

/**
 * Who may have how many rows looked at. The engine is asked before a statement runs, once for a shape, and not again
 * for a while where that was far below the budget; what is near it or beyond is asked with the values of each request.
 */
export interface QueryCosts {
  budgetOf(tenant: Pick<Tenant, 'key' | 'database'>): number;
  /** The shape is known to be far below the budget. */
  isCheap(tenant: Tenant, compiled: CompiledSnapshot, shape: string): boolean;
  /** Throws `limit.query_cost`. What cannot be explained comes in: it will tell itself what is wrong with it. */
  admit(tenant: Tenant, statement: CostedStatement, run: RunStatement): Promise<Admitted>;
}

export interface Admitted {
  /** Its joins would fill the server's disk with rows kept aside: they are to be made without. See `RowsEstimate.asideMax`. */
  readonly spills: boolean;
}

export interface QueryCostsOptions {
  /** Where neither the key nor its database says otherwise. */
  readonly rowsExaminedMax: number;
  readonly registry: Registry;
  readonly nowMs?: () => number;
}

interface Known {
  readonly rows: number;
  readonly spills: boolean;
  readonly atMs: number;
}

/** Values of one shape, and the rows of its tables, may differ by so much. */
const MARGIN = 4;
const KEPT_MS = 300_000;
/** Kept aside by a join; some tens of megabytes. */
const ASIDE_ROWS_MAX = 100_000;
/** Of one schema as one set of rights sees it. */
const SHAPES_MAX = 512;
/** EXPLAIN of a view over tables that the account may not read. */
const VIEW_HIDES = 1345;
const EXPLAINED_BYTES_MAX = 1_000_000;

export function createQueryCosts({ rowsExaminedMax, registry, nowMs = () => performance.now() }: QueryCostsOptions): QueryCosts {
  const explained = new Counter({ name: 'gateway_statements_explained_total', help: 'Statements whose plan was asked for before they ran', registers: [registry] });
  const refused = new Counter({ name: 'gateway_statements_too_dear_total', help: 'Statements refused for the rows that they would look at', registers: [registry] });
  const shapes = new WeakMap<CompiledSnapshot, Map<string, Known>>();
  const sizes = new WeakMap<CompiledSnapshot, Map<string, Known>>();

  function budgetOf({ key, database }: Pick<Tenant, 'key' | 'database'>): number {
    return key.rowsExaminedMax ?? database.record.settings.rows_examined_max ?? rowsExaminedMax;
  }

  function find(known: WeakMap<CompiledSnapshot, Map<string, Known>>, compiled: CompiledSnapshot, name: string): Known | null {
    const found = known.get(compiled)?.get(name);
    return found === undefined || nowMs() - found.atMs > KEPT_MS ? null : found;
  }

  function keep(known: WeakMap<CompiledSnapshot, Map<string, Known>>, compiled: CompiledSnapshot, name: string, rows: number, spills = false): void {
    let ofSchema = known.get(compiled);
    if (ofSchema === undefined) known.set(compiled, (ofSchema = new Map()));
    const [oldest] = ofSchema.keys();
    ofSchema.delete(name);
    if (oldest !== undefined && ofSchema.size >= SHAPES_MAX) ofSchema.delete(oldest);
    ofSchema.set(name, { rows, spills, atMs: nowMs() });
  }

  function findCheap(tenant: Tenant, compiled: CompiledSnapshot, shape: string): Known | null {
    const known = find(shapes, compiled, shape);
    return known !== null && known.rows * MARGIN <= budgetOf(tenant) ? known : null;
  }

  /** Rows of a table, by what the engine keeps of it. */
  async function measure(run: RunStatement, engine: EngineKind, table: CompiledTable): Promise<number> {
    const known = find(sizes, table.schema, table.name);
    if (known !== null) return known.rows;
    const rows = Math.max(0, ...(await explain(run, engine, `SELECT 1 FROM ${table.quoted}`, [])).map((step) => step.rows));
    keep(sizes, table.schema, table.name, rows);
    return rows;
  }

  async function estimate(run: RunStatement, engine: EngineKind, statement: CostedStatement): Promise<RowsEstimate> {
    const steps = await explain(run, engine, statement.sql, statement.params);
    const rowsOf = new Map<string, number>();
    for (const step of steps) {
      const table = step.table === null || !isCutShort(step) ? null : statement.tableOf(step.table);
      if (table !== null && table.kind === 'table' && step.table !== null) rowsOf.set(step.table, await measure(run, engine, table));
    }
    return estimateRows(steps, { isPlain: statement.isPlain(), sizeOf: (alias) => rowsOf.get(alias) ?? null });
  }

  return {
    budgetOf,
    isCheap: (tenant, compiled, shape) => findCheap(tenant, compiled, shape) !== null,
    async admit(tenant, statement, run) {
      const known = findCheap(tenant, statement.compiled, statement.shape);
      if (known !== null) return { spills: known.spills };
      explained.inc();
      let found: RowsEstimate;
      try {
        found = await estimate(run, tenant.database.record.server.engine, statement);
      } catch (error) {
        if (!(error instanceof DatabaseFault)) throw error;
        if (error.errno === VIEW_HIDES) keep(shapes, statement.compiled, statement.shape, 0);
        return { spills: false };
      }
      const spills = found.asideMax > ASIDE_ROWS_MAX;
      keep(shapes, statement.compiled, statement.shape, found.rows, spills);
      const budget = budgetOf(tenant);
      if (found.rows <= budget) return { spills };
      refused.inc();
      throw toCostError(statement, found, budget);
    },
  };
}

async function explain(run: RunStatement, engine: EngineKind, sql: string, params: readonly BindValue[]): Promise<ExplainStep[]> {
  const { rows } = await run(explainPrefix(engine) + sql, params, collectRows({ bytesMax: EXPLAINED_BYTES_MAX }));
  return readExplain(rows.columns.map((column) => column.name), rows.rows);
}

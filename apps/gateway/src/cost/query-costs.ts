import { AppError, VIEW_HIDES } from '@rowhouse/errors';
import { collectRows, DatabaseFault, type BindValue, type RunStatement } from '@rowhouse/mysql';
import {
  estimateRows,
  explainPrefix,
  isCutShort,
  readExplain,
  type CountedStep,
  type ExplainStep,
  type RowsEstimate,
} from '@rowhouse/query-engine';
import { Counter, type Registry } from '@rowhouse/runtime';
import type { CompiledSnapshot, CompiledTable, EngineKind } from '@rowhouse/schema-model';
import type { Tenant } from '../tenant/tenant.js';

/** The maximum number of steps of the engine's plan that an error lists. */
const STEPS_MAX = 8;

/** A placeholder for the names of tables that the key cannot see, for example those in a view. */
const UNSEEN = '(view)';

/** A statement that may be expensive, and what is known about it. */
export interface CostedStatement {
  readonly compiled: CompiledSnapshot;
  /** A text that is equal for all statements that differ only in their values. */
  readonly shape: string;
  readonly sql: string;
  readonly params: readonly BindValue[];
  /** Returns whether rows are sent as they are found, without groups or computations over many rows. */
  isPlain(): boolean;
  /** Returns the table with this alias, or null when the key cannot see it. */
  tableOf(alias: string): CompiledTable | null;
  /**
   * Returns the DDL of an index on that table that would avoid most of the work, or null if there is no such
   * index.
   */
  proposeIndex(alias: string): string | null;
}

/**
 * Limits the rows that a statement may examine, as the engine's EXPLAIN estimates them. A shape far below the
 * budget is not explained again for five minutes. Other statements are explained for each request.
 */
export interface QueryCosts {
  budgetOf(tenant: Pick<Tenant, 'key' | 'database'>): number;
  /** Returns whether the shape is known to be far below the budget. */
  isCheap(tenant: Tenant, compiled: CompiledSnapshot, shape: string): boolean;
  /**
   * Explains the statement on `run`. A statement that cannot be explained is admitted, and fails when it
   * runs.
   *
   * @throws AppError `limit.query_cost` above the budget
   */
  admit(tenant: Tenant, statement: CostedStatement, run: RunStatement): Promise<CostAdmission>;
}

/** How an admitted statement must be run. */
export interface CostAdmission {
  /**
   * Whether joins could fill the server's disk with buffered rows. The statement must then run without a join
   * buffer. See `RowsEstimate.bufferedRowsMax`.
   */
  readonly spills: boolean;
}

export interface QueryCostsOptions {
  /** The budget when neither the key nor its database sets one. */
  readonly rowsExaminedMax: number;
  readonly registry: Registry;
  readonly nowMs?: () => number;
}

interface CachedEstimate {
  readonly rows: number;
  readonly spills: boolean;
  readonly atMs: number;
}

/**
 * A shape is cheap if its estimate times this factor is within the budget. The margin is needed because
 * estimates vary with values and table sizes.
 */
const MARGIN = 4;
const CACHED_MS = 300_000;
/** The maximum number of rows that a join may buffer, which take some tens of megabytes. */
const BUFFERED_ROWS_MAX = 100_000;
/** The maximum number of cached shapes for one snapshot and one set of rights. */
const SHAPES_MAX = 512;
const EXPLAINED_BYTES_MAX = 1_000_000;

export function createQueryCosts({
  rowsExaminedMax,
  registry,
  nowMs = () => performance.now(),
}: QueryCostsOptions): QueryCosts {
  const explained = new Counter({
    name: 'gateway_statements_explained_total',
    help: 'Statements whose plan was checked before they ran',
    registers: [registry],
  });
  const rejected = new Counter({
    name: 'gateway_statements_too_dear_total',
    help: 'Statements rejected because they would examine too many rows',
    registers: [registry],
  });
  const shapes = new WeakMap<CompiledSnapshot, Map<string, CachedEstimate>>();
  const sizes = new WeakMap<CompiledSnapshot, Map<string, CachedEstimate>>();

  function budgetOf({ key, database }: Pick<Tenant, 'key' | 'database'>): number {
    return key.rowsExaminedMax ?? database.record.settings.rows_examined_max ?? rowsExaminedMax;
  }

  function find(
    known: WeakMap<CompiledSnapshot, Map<string, CachedEstimate>>,
    compiled: CompiledSnapshot,
    name: string,
  ): CachedEstimate | null {
    const found = known.get(compiled)?.get(name);
    return found === undefined || nowMs() - found.atMs > CACHED_MS ? null : found;
  }

  function cache(
    known: WeakMap<CompiledSnapshot, Map<string, CachedEstimate>>,
    compiled: CompiledSnapshot,
    name: string,
    rows: number,
    spills = false,
  ): void {
    let ofSchema = known.get(compiled);
    if (ofSchema === undefined) known.set(compiled, (ofSchema = new Map()));
    const [oldest] = ofSchema.keys();
    ofSchema.delete(name);
    if (oldest !== undefined && ofSchema.size >= SHAPES_MAX) ofSchema.delete(oldest);
    ofSchema.set(name, { rows, spills, atMs: nowMs() });
  }

  function findCheap(tenant: Tenant, compiled: CompiledSnapshot, shape: string): CachedEstimate | null {
    const known = find(shapes, compiled, shape);
    return known !== null && known.rows * MARGIN <= budgetOf(tenant) ? known : null;
  }

  /** Returns the number of rows in a table by the engine's statistics. */
  async function measure(run: RunStatement, engine: EngineKind, table: CompiledTable): Promise<number> {
    const known = find(sizes, table.schema, table.name);
    if (known !== null) return known.rows;
    const rows = Math.max(
      0,
      ...(await explain(run, engine, `SELECT 1 FROM ${table.quoted}`, [])).map((step) => step.rows),
    );
    cache(sizes, table.schema, table.name, rows);
    return rows;
  }

  async function estimate(
    run: RunStatement,
    engine: EngineKind,
    statement: CostedStatement,
  ): Promise<RowsEstimate> {
    const steps = await explain(run, engine, statement.sql, statement.params);
    const rowsOf = new Map<string, number>();
    for (const step of steps) {
      const table = step.table === null || !isCutShort(step) ? null : statement.tableOf(step.table);
      if (table !== null && table.kind === 'table' && step.table !== null)
        rowsOf.set(step.table, await measure(run, engine, table));
    }
    return estimateRows(steps, {
      isPlain: statement.isPlain(),
      sizeOf: (alias) => rowsOf.get(alias) ?? null,
    });
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
        if (error.errno === VIEW_HIDES) cache(shapes, statement.compiled, statement.shape, 0);
        return { spills: false };
      }
      const spills = found.bufferedRowsMax > BUFFERED_ROWS_MAX;
      cache(shapes, statement.compiled, statement.shape, found.rows, spills);
      const budget = budgetOf(tenant);
      if (found.rows <= budget) return { spills };
      rejected.inc();
      throw toCostError(statement, found, budget);
    },
  };
}

async function explain(
  run: RunStatement,
  engine: EngineKind,
  sql: string,
  params: readonly BindValue[],
): Promise<ExplainStep[]> {
  const { rows } = await run(
    explainPrefix(engine) + sql,
    params,
    collectRows({ bytesMax: EXPLAINED_BYTES_MAX }),
  );
  return readExplain(
    rows.columns.map((column) => column.name),
    rows.rows,
  );
}

/**
 * Creates the error of an expensive statement, with its plan and a remedy. It only names what the key may
 * see.
 */
export function toCostError(
  statement: CostedStatement,
  { rows, steps }: Pick<RowsEstimate, 'rows' | 'steps'>,
  budget: number,
): AppError {
  const scans = steps.filter(isScan).sort((countedStep, other) => other.examined - countedStep.examined);
  const index =
    scans
      .map(({ table }) => (table === null ? null : statement.proposeIndex(table)))
      .find((sql) => sql !== null) ?? null;
  return new AppError('limit.query_cost', {
    detail: `The statement would examine about ${format(rows)} rows. The limit is ${format(budget)}.`,
    hint:
      index === null
        ? 'Filter by a column that an index starts with, or raise rows_examined_max of the key or the database.'
        : `Add the missing index: ${index}. Or filter by a column that has one.`,
    extra: {
      rows_expected: Math.round(rows),
      rows_examined_max: budget,
      index_sql: index,
      plan: steps.slice(0, STEPS_MAX).map((step) => ({
        table: nameTable(statement, step),
        access: step.access === '' ? null : step.access,
        rows: step.rows,
      })),
    },
  });
}

function isScan({ access, table }: CountedStep): boolean {
  return (
    (access.toUpperCase().endsWith('ALL') || access === 'index') && table !== null && !table.startsWith('<')
  );
}

function nameTable(statement: CostedStatement, { table }: CountedStep): string | null {
  if (table === null || table.startsWith('<')) return table;
  return statement.tableOf(table)?.name ?? UNSEEN;
}

function format(rows: number): string {
  return Math.round(rows).toLocaleString('en-US');
}

import type { DbValue, ResultColumn, RowSink, RunStatement } from '@rowhouse/mysql';
import type { PlanOptions } from '@rowhouse/rest-engine';
import { compileSnapshot, nameSnapshot, type CompiledSnapshot, type Rights } from '@rowhouse/schema-model';
import { EXAMPLE_SCHEMA } from '@rowhouse/schema-model/testing';
import type { Tenant } from '../../src/tenant/tenant.js';

/** A row of EXPLAIN. Missing members have the values of a full scan of `posts`. */
export interface ExplainRow {
  readonly id?: number;
  readonly select?: string;
  readonly table?: string | null;
  readonly access?: string;
  readonly rows: number;
  readonly filteredPercent?: number;
  readonly notes?: string;
}

const COLUMNS = ['id', 'select_type', 'table', 'type', 'rows', 'filtered', 'Extra'].map(
  (name) => ({ name }) as ResultColumn,
);

/**
 * Creates a session that responds to each EXPLAIN with the steps from `explain`, and records the statements.
 * Errors thrown by `explain` are passed on.
 */
export function explainWith(explain: (sql: string) => readonly ExplainRow[]): {
  readonly run: RunStatement;
  readonly requests: string[];
} {
  const requests: string[] = [];
  const run = async (sql: string, _values: unknown, sink: RowSink<unknown>) => {
    requests.push(sql);
    const rows = explain(sql).map(toRow);
    sink.columns?.(COLUMNS);
    for (const row of rows) sink.row(row);
    const counts = { affectedRows: 0, changedRows: 0, insertId: '0', warnings: 0 };
    return { kind: 'rows', rows: sink.end(counts as never), counts, isCut: false, elapsedMs: 0 };
  };
  return { run: run as unknown as RunStatement, requests };
}

function toRow({
  id = 1,
  select = 'SIMPLE',
  table = 'posts',
  access = 'ALL',
  rows,
  filteredPercent = 100,
  notes = 'Using where',
}: ExplainRow): readonly DbValue[] {
  return [id, select, table, access, rows, filteredPercent, notes];
}

/** Options for planning a request of a test. */
export const PLAN_OPTIONS: PlanOptions = {
  unknownFields: 'reject',
  requireLimit: false,
  regexEnabled: true,
  storedColumnsAt: () => null,
  sealText: (text) => text,
  makeUuid: () => '',
};

export const ALL_RIGHTS: Rights = { tables: null, verbs: ['read', 'write', 'delete'], hiddenColumns: {} };

/** Compiles the schema of the blog example for a key with these rights. */
export function compileBlog(rights: Partial<Rights> = {}): CompiledSnapshot {
  return compileSnapshot(nameSnapshot(EXAMPLE_SCHEMA, null), 1, { ...ALL_RIGHTS, ...rights });
}

export interface Budgets {
  readonly ofKey?: number | null;
  readonly ofDatabase?: number | null;
  readonly engine?: 'mariadb' | 'mysql';
}

/** Creates those parts of a tenant on which the cost of its queries depends. */
export function tenantWith({ ofKey = null, ofDatabase = null, engine = 'mariadb' }: Budgets = {}): Tenant {
  return {
    key: { rowsExaminedMax: ofKey },
    database: { record: { settings: { rows_examined_max: ofDatabase }, server: { engine } } },
  } as unknown as Tenant;
}

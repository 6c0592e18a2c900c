import type { AdminConnection } from '@rowhouse/mysql';
import { quoteName } from '@rowhouse/mysql';
import {
  createRowMaker,
  isOptional,
  type Fill,
  type RowMaker,
  type SampleValue,
} from '@rowhouse/sample-rows';
import type { EngineKind, ForeignKey, Table } from '@rowhouse/schema-model';
import { writeRows, type RejectedRows } from './write-rows.js';

export interface TableOutcome {
  readonly name: string;
  readonly rows: number;
  /** The reason why fewer rows than requested were inserted. Null if all requested rows were inserted. */
  readonly reason: string | null;
}

export interface Filling {
  readonly connection: AdminConnection;
  readonly engine: EngineKind;
  /** All tables of the database, because foreign keys may reference tables that are not filled. */
  readonly tables: readonly Table[];
  readonly fills: readonly Fill[];
  readonly seed: string;
  readonly rows: number;
  readonly nowMs: number;
}

/** The maximum number of target rows that are read for each foreign key. */
const PARENTS_MAX = 1_000;

interface Progress {
  readonly maker: RowMaker;
  rows: number;
  readonly reasons: Set<string>;
}

/**
 * Runs all passes over all tables, in order. If a table rejects rows, they are reported and the other rows
 * are still inserted.
 */
export async function fillTables(filling: Filling): Promise<TableOutcome[]> {
  const { connection, engine, fills } = filling;
  const progress = new Map<string, Progress>();
  for (const { table, rows, openKeys, ownKeys } of fills) {
    const state = progress.get(table.name) ?? (await begin(filling, table));
    progress.set(table.name, state);
    const parents = await readParents(connection, table, openKeys, ownKeys);
    const missing = table.foreignKeys.find(
      (key) => parents.get(key.name)?.length === 0 && !isOptional(table, key),
    );
    if (missing !== undefined) {
      state.reasons.add(`it needs rows in ${missing.referencedTable}, which is empty`);
      continue;
    }
    const created = state.maker.make(rows, { parents, openKeys, ownKeys });
    const rejections = await writeRows(connection, { engine, table, rows: created.rows });
    state.rows += created.rows.length - rejections.reduce((sum, rejection) => sum + rejection.rows, 0);
    if (created.shortage !== null) state.reasons.add(created.shortage);
    for (const rejection of rejections) state.reasons.add(reportRefusal(rejection));
  }
  return [...progress].map(([name, { rows, reasons }]) => ({
    name,
    rows,
    reason: reasons.size === 0 ? null : [...reasons].join('; '),
  }));
}

function reportRefusal({ rows, why }: RejectedRows): string {
  return `${rows} ${rows === 1 ? 'row was' : 'rows were'} rejected: ${why}`;
}

/** Prepares a table for filling. Its generated numbers continue after the existing ones. */
async function begin({ connection, seed, rows, nowMs }: Filling, table: Table): Promise<Progress> {
  const [counted] = await connection.rows<{ n: number | string }>(
    `SELECT COUNT(*) AS n FROM ${quoteName(table.name)}`,
  );
  const existing = Number(counted?.n);
  const [first] = table.primaryKey ?? [];
  const number =
    table.columns.find((column) => column.autoIncrement) ??
    table.columns.find((column) => column.name === first && column.valueKind === 'integer');
  const [highest] =
    existing === 0 || number === undefined
      ? []
      : await connection.rows<{ n: number | string | null }>(
          `SELECT MAX(${quoteName(number.name)}) AS n FROM ${quoteName(table.name)}`,
        );
  const firstNumber = Math.max(Number(highest?.n ?? 0), existing) + 1;
  return {
    maker: createRowMaker(table, {
      seed: existing === 0 ? seed : `${seed} ${existing}`,
      rows,
      nowMs,
      firstNumber,
    }),
    rows: 0,
    reasons: new Set(),
  };
}

/**
 * Reads the current rows that each foreign key may reference. A key that stays NULL, or that references its
 * own row, needs none.
 */
async function readParents(
  connection: AdminConnection,
  table: Table,
  openKeys: ReadonlySet<string>,
  ownKeys: ReadonlySet<string>,
): Promise<Map<string, SampleValue[][]>> {
  const parents = new Map<string, SampleValue[][]>();
  for (const key of table.foreignKeys) {
    if (openKeys.has(key.name) || ownKeys.has(key.name)) continue;
    parents.set(key.name, await readParent(connection, key));
  }
  return parents;
}

async function readParent(connection: AdminConnection, key: ForeignKey): Promise<SampleValue[][]> {
  const names = key.referencedColumns.map(quoteName);
  const provided = names.map((name) => `${name} IS NOT NULL`).join(' AND ');
  const rows = await connection.rows<Record<string, SampleValue>>(
    `SELECT ${names.join(', ')} FROM ${quoteName(key.referencedTable)} WHERE ${provided} ORDER BY ${names.join(', ')} LIMIT ${PARENTS_MAX}`,
  );
  return rows.map((row) => key.referencedColumns.map((name) => row[name] ?? null));
}

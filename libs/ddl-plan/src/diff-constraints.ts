import type { CheckConstraint, ForeignKey, Table } from '@rowhouse/schema-model';
import { alterTable, quoteName, quoteNames } from './sql-text.js';
import type { PlannedStep, RowCheck, Wish } from './types.js';

export interface ConstraintDiff {
  /** Dropping a constraint only loosens. */
  readonly dropSpecs: readonly string[];
  /** Each constraint by itself: it is added with checks off, between two looks at the rows. */
  readonly addSteps: readonly PlannedStep[];
}

export function diffConstraints(from: Table, to: Table): ConstraintDiff {
  const dropSpecs = [
    ...missing(from.foreignKeys, to.foreignKeys).map((key) => `DROP FOREIGN KEY ${quoteName(key.name)}`),
    ...missing(ownChecks(from), ownChecks(to)).map((check) => `DROP CONSTRAINT ${quoteName(check.name)}`),
  ];
  const addSteps = [
    ...missing(ownChecks(to), ownChecks(from)).map((check) => addCheckStep(to, check)),
    ...missing(to.foreignKeys, from.foreignKeys).map((key) => addForeignKeyStep(to.name, key)),
  ];
  return { dropSpecs, addSteps };
}

/** A check written at its column is part of the column's definition. */
function ownChecks(table: Table): CheckConstraint[] {
  return table.checks.filter((check) => check.definition !== '');
}

function missing<T extends { readonly name: string; readonly definition: string }>(these: readonly T[], others: readonly T[]): T[] {
  const known = new Map(others.map((other) => [other.name, other.definition]));
  return these.filter((entry) => known.get(entry.name) !== entry.definition);
}

function addCheckStep(to: Table, check: CheckConstraint): PlannedStep {
  const rowCheck: RowCheck = {
    problem: `${to.name} holds rows that the check ${check.name} refuses`,
    sql: `SELECT 1 FROM ${quoteName(to.name)} WHERE NOT (${check.clause}) LIMIT 1`,
    shows: [],
  };
  const undo = `ALTER TABLE ${quoteName(to.name)} DROP CONSTRAINT ${quoteName(check.name)}`;
  return tightenStep(to.name, check.definition, [rowCheck], { kind: 'add_check', details: { name: check.name, undo }, rebuild: null });
}

export function addForeignKeyStep(table: string, key: ForeignKey): PlannedStep {
  const rowCheck: RowCheck = {
    problem: `${table} holds rows whose ${key.columns.join(', ')} is not in ${key.referencedTable}`,
    sql: orphanSql(table, key),
    shows: [],
  };
  const undo = `ALTER TABLE ${quoteName(table)} DROP FOREIGN KEY ${quoteName(key.name)}`;
  return tightenStep(table, key.definition, [rowCheck], { kind: 'add_foreign_key', details: { name: key.name, undo }, rebuild: null });
}

function orphanSql(table: string, key: ForeignKey): string {
  const joined = key.columns.map((name, at) => `p.${quoteName(key.referencedColumns[at] ?? '')} = c.${quoteName(name)}`).join(' AND ');
  const present = key.columns.map((name) => `c.${quoteName(name)} IS NOT NULL`).join(' AND ');
  return `SELECT 1 FROM ${quoteName(table)} c LEFT JOIN ${quoteName(key.referencedTable)} p ON ${joined} WHERE ${present} AND p.${quoteNames(key.referencedColumns.slice(0, 1))} IS NULL LIMIT 1`;
}

function tightenStep(table: string, definition: string, rowChecks: readonly RowCheck[], wish: Wish): PlannedStep {
  const sql = alterTable(table, [`ADD ${definition}`]) ?? '';
  return { kind: 'alter_table', table, sql, class: 'tighten', reversible: true, loss: [], beforePublish: null, afterPublish: sql, rowChecks, wish };
}

import type { CompiledColumn } from '@rowhouse/schema-model';
import type { CreatePlan, KeyPart, RowValues } from '../plan/plan.js';
import type { Cell, ResultSet } from '../response/result-set.js';
import { insertPlain, insertReturning } from './insert-statements.js';
import { selectList, type SelectList } from './select-list.js';
import type { BoundValue, Statement, StatementProgram, StatementRound } from './statement.js';
import { placedVersionColumns } from './version-columns.js';
import { keySql } from './where.js';

/** With RETURNING one statement does it; without, the key is known or evaluated first, and the record is read back by it. */
export function createProgram(plan: CreatePlan, hasReturning: boolean): StatementProgram {
  const isRollback = plan.preferences.transaction === 'rollback';
  const list = answerList(plan);
  if (list === null) return once(plan, insertPlain(plan.table, plan.rows, 256), isRollback);
  if (hasReturning) return once(plan, insertReturning(plan.table, plan.rows, list), isRollback);
  const defaults = defaultStatements(plan);
  const insert = (results: readonly ResultSet[]): StatementRound => ({
    statements: insertPlain(plan.table, plan.rows.map((row, at) => withDefaults(plan, row, at, results)), 1),
    isOrdered: true,
  });
  return {
    transaction: isRollback ? 'rollback' : 'commit',
    lane: 'general',
    first: defaults.length > 0 ? { statements: defaults, isOrdered: true } : insert([]),
    next: (results) => {
      if (!results.some((result) => result.statement.role.kind === 'write')) return insert(results);
      if (results.some((result) => result.statement.role.kind === 'records')) return null;
      const reads = plan.rows.map((row, at) => readBack(plan, withDefaults(plan, row, at, results), at, results, list));
      return { statements: reads, isOrdered: true };
    },
  };
}

function once(plan: CreatePlan, statements: readonly Statement[], isRollback: boolean): StatementProgram {
  return {
    transaction: isRollback ? 'rollback' : statements.length > 1 ? 'commit' : 'none',
    lane: statements.length === 1 && plan.rows.length === 1 && !isRollback ? 'keyed' : 'general',
    first: { statements, isOrdered: true },
    next: () => null,
  };
}

/** What comes back of each record: the answer's columns, or its key; null where it has none. */
function answerList(plan: CreatePlan): SelectList | null {
  const key = plan.table.rowKey;
  if (key === null) return null;
  const place = key.map((column) => ({ alias: '', column }));
  return selectList(plan.answer ?? key, '', hasTag(plan) ? [...place, ...placedVersionColumns(plan.table)] : place);
}

/** One record that is shown has a version. */
export function hasTag(plan: CreatePlan): boolean {
  return !plan.isBulk && plan.answer !== null;
}

/** Key columns whose default is an expression: evaluated before the INSERT, so that the record can be found. */
function evaluatedColumns(plan: CreatePlan, row: RowValues): CompiledColumn[] {
  return (plan.table.rowKey ?? []).filter((column) => column.default.kind === 'expression' && !row.some((entry) => entry.column === column));
}

function defaultStatements(plan: CreatePlan): Statement[] {
  const statements: Statement[] = [];
  plan.rows.forEach((row, at) => {
    const columns = evaluatedColumns(plan, row);
    if (columns.length === 0) return;
    const expressions = columns.map((column) => (column.default.kind === 'expression' ? `(${column.default.text})` : 'NULL'));
    const shape = { columns: columns.map((column) => ({ name: column.name, kind: column.valueKind, isOutput: false, column: null })), keys: columns.map((_, position) => position) };
    statements.push({ role: { kind: 'defaults', row: at }, sql: `SELECT ${expressions.join(', ')}`, params: [], shape });
  });
  return statements;
}

function withDefaults(plan: CreatePlan, row: RowValues, at: number, results: readonly ResultSet[]): RowValues {
  const columns = evaluatedColumns(plan, row);
  if (columns.length === 0) return row;
  const found = results.find(({ statement: { role } }) => role.kind === 'defaults' && role.row === at);
  const evaluated = columns.map((column, position) => ({ column, value: toBound(found?.keyCell(0, position) ?? null) }));
  return [...row, ...evaluated].sort((a, b) => a.column.position - b.column.position);
}

function toBound(cell: Cell): BoundValue {
  return cell === null || cell instanceof Uint8Array ? cell : String(cell);
}

function readBack(plan: CreatePlan, row: RowValues, at: number, results: readonly ResultSet[], list: SelectList): Statement {
  const written = results.find(({ statement: { role } }) => role.kind === 'write' && role.row === at);
  const key = (plan.table.rowKey ?? []).map((column): KeyPart => ({ column, value: keyValue(column, row, written?.insertId ?? null) }));
  const params: BoundValue[] = [];
  const sql = `SELECT ${list.text} FROM ${plan.table.quoted} WHERE ${keySql(key, params)}`;
  return { role: { kind: 'records' }, sql, params, shape: list.shape };
}

function keyValue(column: CompiledColumn, row: RowValues, insertId: string | null): BoundValue {
  const given = row.find((entry) => entry.column === column);
  if (given !== undefined) return given.value;
  if (column.autoIncrement) return insertId;
  return column.default.kind === 'literal' ? column.default.text : null;
}

import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { KeyPart, RowValues } from '../plan/plan.js';
import type { Cell, ResultSet } from '../response/result-set.js';
import { insertPlain, insertReturning } from './insert-statements.js';
import type { ProgramPart } from './program-parts.js';
import type { SelectList } from './select-list.js';
import type { BoundValue, Statement, StatementRound } from './statement.js';
import { keySql } from './where.js';

export interface InsertWish {
  readonly table: CompiledTable;
  readonly rows: readonly RowValues[];
  /** What comes back of each row, in order; null: nothing. */
  readonly list: SelectList | null;
  /** Of the statements that give it back: the request's own records, or rows that only later statements need. */
  readonly role: 'records' | 'written';
  readonly hasReturning: boolean;
}

/** With RETURNING one statement does it; without, the key is known or evaluated first, and the record is read back by it. */
export function insertPart(wish: InsertWish): ProgramPart {
  const { table, rows, list, role } = wish;
  if (list === null) return once(insertPlain(table, rows, 256));
  if (wish.hasReturning) {
    const statements = insertReturning(table, rows, list);
    return once(role === 'records' ? statements : statements.map((statement) => ({ ...statement, role: WRITTEN })));
  }
  const defaults = defaultStatements(table, rows);
  const insert = (results: readonly ResultSet[]): StatementRound => ({
    statements: insertPlain(table, rows.map((row, at) => withDefaults(table, row, at, results)), 1),
    isOrdered: true,
  });
  return {
    first: defaults.length > 0 ? { statements: defaults, isOrdered: true } : insert([]),
    next: (results) => {
      if (!results.some((result) => result.statement.role.kind === 'write')) return insert(results);
      if (results.some((result) => result.statement.role.kind === role)) return null;
      const reads = rows.map((row, at) => readBack(wish, list, withDefaults(table, row, at, results), at, results));
      return { statements: reads, isOrdered: true };
    },
  };
}

const WRITTEN = { kind: 'written' } as const;

function once(statements: readonly Statement[]): ProgramPart {
  return { first: { statements, isOrdered: true }, next: () => null };
}

/** Key columns whose default is an expression: evaluated before the INSERT, so that the record can be found. */
function evaluatedColumns(table: CompiledTable, row: RowValues): CompiledColumn[] {
  return (table.rowKey ?? []).filter((column) => column.default.kind === 'expression' && !row.some((entry) => entry.column === column));
}

function defaultStatements(table: CompiledTable, rows: readonly RowValues[]): Statement[] {
  const statements: Statement[] = [];
  rows.forEach((row, at) => {
    const columns = evaluatedColumns(table, row);
    if (columns.length === 0) return;
    const expressions = columns.map((column) => (column.default.kind === 'expression' ? `(${column.default.text})` : 'NULL'));
    const shape = { columns: columns.map((column) => ({ name: column.name, kind: column.valueKind, isOutput: false, column: null })), keys: columns.map((_, position) => position) };
    statements.push({ role: { kind: 'defaults', row: at }, sql: `SELECT ${expressions.join(', ')}`, params: [], shape });
  });
  return statements;
}

function withDefaults(table: CompiledTable, row: RowValues, at: number, results: readonly ResultSet[]): RowValues {
  const columns = evaluatedColumns(table, row);
  if (columns.length === 0) return row;
  const found = results.find(({ statement: { role } }) => role.kind === 'defaults' && role.row === at);
  const evaluated = columns.map((column, position) => ({ column, value: toBound(found?.keyCell(0, position) ?? null) }));
  return [...row, ...evaluated].sort((a, b) => a.column.position - b.column.position);
}

function toBound(cell: Cell): BoundValue {
  return cell === null || cell instanceof Uint8Array ? cell : String(cell);
}

function readBack({ table, role }: InsertWish, list: SelectList, row: RowValues, at: number, results: readonly ResultSet[]): Statement {
  const written = results.find(({ statement }) => statement.role.kind === 'write' && statement.role.row === at);
  const key = (table.rowKey ?? []).map((column): KeyPart => ({ column, value: keyValue(column, row, written?.insertId ?? null) }));
  const params: BoundValue[] = [];
  const sql = `SELECT ${list.text} FROM ${table.quoted} WHERE ${keySql(key, params)}`;
  return { role: role === 'written' ? WRITTEN : { kind: role }, sql, params, shape: list.shape };
}

function keyValue(column: CompiledColumn, row: RowValues, insertId: string | null): BoundValue {
  const given = row.find((entry) => entry.column === column);
  if (given !== undefined) return given.value;
  if (column.autoIncrement) return insertId;
  return column.default.kind === 'literal' ? column.default.text : null;
}

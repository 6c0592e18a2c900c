import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { KeyPart, RowValues } from '../plan/plan.js';
import type { ResultSet } from '../response/result-set.js';
import { evaluateStatement, withEvaluated, withoutGenerated } from './evaluate-key.js';
import { insertPlain, insertReturning, isReturnedAsStored } from './insert-statements.js';
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
  if (wish.hasReturning && isReturnedAsStored(table)) {
    const statements = insertReturning(table, rows, list);
    return once(role === 'records' ? statements : statements.map((statement) => ({ ...statement, role: WRITTEN })));
  }
  const defaults = rows.flatMap((row, at) => evaluateStatement(table, row, at) ?? []);
  const insert = (results: readonly ResultSet[]): StatementRound => ({
    statements: insertPlain(table, rows.map((row, at) => withoutGenerated(withEvaluated(table, row, at, results))), 1),
    isOrdered: true,
  });
  return {
    first: defaults.length > 0 ? { statements: defaults, isOrdered: true } : insert([]),
    next: (results) => {
      if (!results.some((result) => result.statement.role.kind === 'write')) return insert(results);
      if (results.some((result) => result.statement.role.kind === role)) return null;
      const reads = rows.map((row, at) => readBack(wish, list, withEvaluated(table, row, at, results), at, results));
      return { statements: reads, isOrdered: true };
    },
  };
}

const WRITTEN = { kind: 'written' } as const;

function once(statements: readonly Statement[]): ProgramPart {
  return { first: { statements, isOrdered: true }, next: () => null };
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

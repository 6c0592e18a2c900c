import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { KeyPart, RowValues } from '../../plan/plan-parts.js';
import { evaluateStatement, withEvaluated, withoutGenerated } from './evaluate-key.js';
import { insertOne, insertPlain, insertReturning, isReturnedAsStored } from './insert-statements.js';
import type { ProgramPart } from '../program-parts.js';
import type { SelectList } from '../read/select-list.js';
import { createStatementTexts } from '../statement-texts.js';
import type { BoundValue } from '../../values/cell.js';
import type { Statement, StatementRound, ResultSet } from '../statement.js';
import { keySql, nameKey } from '../condition/where.js';

export interface InsertInput {
  readonly table: CompiledTable;
  readonly rows: readonly RowValues[];
  /** The columns to return for each row, in order. If null, nothing is returned. */
  readonly list: SelectList | null;
  /**
   * The role of the returned rows: they are the records of the response, or only needed by later statements.
   */
  readonly role: 'records' | 'written';
  readonly hasReturning: boolean;
}

/**
 * Returns a program part that inserts rows and returns them. With RETURNING, this takes one statement.
 * Without it, each record is read back by its key, which is known or evaluated before the INSERT. The records
 * of the response are read back together with their INSERTs. If the server assigns the key, these reads use
 * the last number that it assigned.
 */
export function insertPart(input: InsertInput): ProgramPart {
  const { table, rows, list, role } = input;
  if (list === null) return once(insertPlain(table, rows, 256));
  if (input.hasReturning && isReturnedAsStored(table)) {
    const statements = insertReturning(table, rows, list);
    return once(
      role === 'records' ? statements : statements.map((statement) => ({ ...statement, role: WRITTEN })),
    );
  }
  if (role === 'records') return insertEach(input, list);
  const defaults = rows.flatMap((row, index) => evaluateStatement(table, row, index) ?? []);
  const insert = (results: readonly ResultSet[]): StatementRound => ({
    statements: insertPlain(
      table,
      rows.map((row, index) => withoutGenerated(withEvaluated(table, row, index, results))),
      1,
    ),
    isOrdered: true,
  });
  return {
    first: defaults.length > 0 ? { statements: defaults, isOrdered: true } : insert([]),
    next: (results) => {
      if (!results.some((result) => result.statement.role.kind === 'write')) return insert(results);
      if (results.some((result) => result.statement.role.kind === role)) return null;
      const writtenAt = (index: number): ResultSet | undefined =>
        results.find(({ statement }) => statement.role.kind === 'write' && statement.role.row === index);
      const reads = rows.map((row, index) =>
        readBack(input, list, withEvaluated(table, row, index, results), writtenAt(index)),
      );
      return { statements: reads, isOrdered: true };
    },
  };
}

const WRITTEN = { kind: 'written' } as const;

/**
 * Returns a part that inserts the rows one by one. Each INSERT is sent together with the statement that reads
 * its record back.
 */
function insertEach(input: InsertInput, list: SelectList): ProgramPart {
  const { table, rows } = input;
  const defaults = rows.flatMap((row, index) => evaluateStatement(table, row, index) ?? []);
  const insert = (evaluated: readonly ResultSet[]): StatementRound => {
    const statements = rows.flatMap((row, index) => {
      const whole = withEvaluated(table, row, index, evaluated);
      return [insertOne(table, withoutGenerated(whole), index), readLast(table, list, whole)];
    });
    return { statements, isOrdered: true };
  };
  return {
    first: defaults.length === 0 ? insert([]) : { statements: defaults, isOrdered: true },
    next(results) {
      const evaluated = results.slice(0, defaults.length);
      const done = results.slice(defaults.length);
      if (done.length === 0) return insert(evaluated);
      if (
        done.length > 2 * rows.length ||
        rows.every((row, index) => isFound(table, row, done[2 * index], done[2 * index + 1]))
      )
        return null;
      return {
        statements: rows.map((row, index) =>
          readBack(input, list, withEvaluated(table, row, index, evaluated), done[2 * index]),
        ),
        isOrdered: true,
      };
    },
  };
}

/** Returns the auto-increment column that the server fills. Returns null if the row contains the key. */
function numberedColumn({ rowKey }: CompiledTable, row: RowValues): CompiledColumn | null {
  const column = rowKey?.find(({ autoIncrement }) => autoIncrement) ?? null;
  return column === null || row.some((entry) => entry.column === column) ? null : column;
}

/**
 * Reports whether the record that was read back is the one that was written. They differ if a trigger
 * assigned the row's number, because the last number that the server assigned then belongs to an earlier
 * statement.
 */
function isFound(
  table: CompiledTable,
  row: RowValues,
  written: ResultSet | undefined,
  read: ResultSet | undefined,
): boolean {
  const numbered = numberedColumn(table, row);
  if (numbered === null || written === undefined || read === undefined) return true;
  return (
    read.rowCount === 1 && String(read.keyCell(0, table.rowKey?.indexOf(numbered) ?? 0)) === written.insertId
  );
}

/** Caches the SQL text of the statements of `readLast`, by their select list. */
const texts = createStatementTexts();

/**
 * Returns the statement that reads a record by its key, with the last number that the server assigned in the
 * session.
 */
function readLast(table: CompiledTable, list: SelectList, row: RowValues): Statement {
  const numbered = numberedColumn(table, row);
  const key = (table.rowKey ?? [])
    .filter((column) => column !== numbered)
    .map((column): KeyPart => ({ column, value: keyValue(column, row, null) }));
  const name = nameKey(key);
  const known = name === null ? undefined : texts.find(table, list, name);
  if (known !== undefined)
    return { role: RECORDS, sql: known, params: key.map(({ value }) => value), shape: list.shape };
  const params: BoundValue[] = [];
  const conditions = [
    keySql(key, params),
    ...(numbered === null ? [] : [`${numbered.quoted} = LAST_INSERT_ID()`]),
  ].filter((sql) => sql !== '');
  const sql = `SELECT ${list.text} FROM ${table.quoted} WHERE ${conditions.join(' AND ')}`;
  return {
    role: RECORDS,
    sql: name === null ? sql : texts.keep(table, list, name, sql),
    params,
    shape: list.shape,
  };
}

const RECORDS = { kind: 'records' } as const;

function once(statements: readonly Statement[]): ProgramPart {
  return { first: { statements, isOrdered: true }, next: () => null };
}

function readBack(
  { table, role }: InsertInput,
  list: SelectList,
  row: RowValues,
  written: ResultSet | undefined,
): Statement {
  const key = (table.rowKey ?? []).map((column): KeyPart => ({
    column,
    value: keyValue(column, row, written?.insertId ?? null),
  }));
  const params: BoundValue[] = [];
  const sql = `SELECT ${list.text} FROM ${table.quoted} WHERE ${keySql(key, params)}`;
  return { role: role === 'written' ? WRITTEN : { kind: role }, sql, params, shape: list.shape };
}

function keyValue(column: CompiledColumn, row: RowValues, insertId: string | null): BoundValue {
  const provided = row.find((entry) => entry.column === column);
  if (provided !== undefined) return provided.value;
  if (column.autoIncrement) return insertId;
  return column.default.kind === 'literal' ? column.default.text : null;
}

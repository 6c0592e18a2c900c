import { readExpression, type CompiledColumn, type CompiledTable } from '@rowhouse/schema-model';
import type { RowValues } from '../plan/plan.js';
import type { ResultSet } from '../response/result-set.js';
import { bindCell } from './bind-cell.js';
import { writePlaceholder } from './placeholder.js';
import type { BoundValue, Statement } from './statement.js';

/**
 * Key columns that a row leaves to the engine: defaults that are expressions, or literals that are no plain text, and
 * generated ones. Where an INSERT gives no rows back they are evaluated first, so that the record can be found.
 */
function evaluatedColumns(table: CompiledTable, row: RowValues): CompiledColumn[] {
  return (table.rowKey ?? []).filter((column) => !row.some((entry) => entry.column === column) && expressionOf(column) !== null);
}

function expressionOf(column: CompiledColumn): string | null {
  if (column.generated !== null) return readExpression(column.definition, 'AS');
  if (column.default.kind === 'expression') return column.default.text;
  const literal = column.default.kind === 'literal' ? column.default.text : '';
  // Bits and bytes are described by SQL that says them; of a plain text nothing is taken for SQL.
  if (!/^(?:b'[01]*'|0x[0-9A-Fa-f]*)$/.test(literal) || (column.type !== 'bit' && column.valueKind !== 'binary')) return null;
  return column.type === 'binary' ? `CAST(${literal} AS BINARY(${column.maxLength ?? 1}))` : literal;
}

/** Null: the row's key is known. `at`: the row's place in the body. */
export function evaluateStatement(table: CompiledTable, row: RowValues, at: number): Statement | null {
  const columns = evaluatedColumns(table, row);
  if (columns.length === 0) return null;
  const expressions = columns.map((column) => expressionOf(column) ?? 'NULL');
  const params: BoundValue[] = [];
  const from = sourceSql(table, row, expressions, params);
  const shape = { columns: columns.map((column) => ({ name: column.name, kind: column.valueKind, isOutput: false, column: null })), keys: columns.map((_, position) => position) };
  return { role: { kind: 'defaults', row: at }, sql: `SELECT ${expressions.map((text) => `(${text})`).join(', ')}${from}`, params, shape };
}

/** Expressions may name other columns of the row: those that are given, or have a literal default. */
function sourceSql(table: CompiledTable, row: RowValues, expressions: readonly string[], params: BoundValue[]): string {
  const named = table.columns.filter((column) => expressions.some((text) => text.includes(column.quoted)));
  if (named.length === 0) return '';
  const values = named.map((column) => {
    const given = row.find((entry) => entry.column === column);
    params.push(given?.value ?? (column.default.kind === 'literal' ? column.default.text : null));
    return `${writePlaceholder(column)} AS ${column.quoted}`;
  });
  return ` FROM (SELECT ${values.join(', ')}) AS r`;
}

/** The row with what was evaluated for it. */
export function withEvaluated(table: CompiledTable, row: RowValues, at: number, results: readonly ResultSet[]): RowValues {
  const found = results.find(({ statement: { role } }) => role.kind === 'defaults' && role.row === at);
  if (found === undefined) return row;
  const evaluated = evaluatedColumns(table, row).map((column, position) => ({ column, value: bindCell(found.keyCell(0, position), column) }));
  return [...row, ...evaluated].sort((a, b) => a.column.position - b.column.position);
}

/** Without what is evaluated only to be found. */
export function withoutGenerated(row: RowValues): RowValues {
  return row.some((entry) => entry.column.generated !== null) ? row.filter((entry) => entry.column.generated === null) : row;
}

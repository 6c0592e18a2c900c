import { readExpression, type CompiledColumn, type CompiledTable } from '@rowhouse/schema-model';
import type { RowValues } from '../../plan/plan-parts.js';
import { writePlaceholder } from '../placeholder.js';
import type { Statement, ResultSet } from '../statement.js';
import { type BoundValue, bindCell } from '../../values/cell.js';

/**
 * Returns a row's key columns whose values the server determines. They are generated, or have a default that
 * is an expression or a literal of bits or bytes. Without RETURNING, their values are evaluated before the
 * INSERT, so that the record can be found.
 */
function evaluatedColumns(table: CompiledTable, row: RowValues): CompiledColumn[] {
  return (table.rowKey ?? []).filter(
    (column) => !row.some((entry) => entry.column === column) && expressionOf(column) !== null,
  );
}

function expressionOf(column: CompiledColumn): string | null {
  if (column.generated !== null) return readExpression(column.definition, 'AS');
  if (column.default.kind === 'expression') return column.default.text;
  const literal = column.default.kind === 'literal' ? column.default.text : '';
  // The snapshot describes defaults of bits and bytes as SQL literals. No other text is inserted into SQL.
  if (
    !/^(?:b'[01]*'|0x[0-9A-Fa-f]*)$/.test(literal) ||
    (column.type !== 'bit' && column.valueKind !== 'binary')
  )
    return null;
  return column.type === 'binary' ? `CAST(${literal} AS BINARY(${column.maxLength ?? 1}))` : literal;
}

/**
 * Returns the statement that evaluates the row's key. Returns null if the key is already known. `index` is
 * the index of the row in the body.
 */
export function evaluateStatement(table: CompiledTable, row: RowValues, index: number): Statement | null {
  const columns = evaluatedColumns(table, row);
  if (columns.length === 0) return null;
  const expressions = columns.map((column) => expressionOf(column) ?? 'NULL');
  const params: BoundValue[] = [];
  const from = sourceSql(table, row, expressions, params);
  const shape = {
    columns: columns.map((column) => ({
      name: column.name,
      kind: column.valueKind,
      isOutput: false,
      column: null,
    })),
    keys: columns.map((_, position) => position),
  };
  return {
    role: { kind: 'defaults', row: index },
    sql: `SELECT ${expressions.map((text) => `(${text})`).join(', ')}${from}`,
    params,
    shape,
  };
}

/**
 * Returns a derived table with the columns that the expressions name. Their values come from the row or from
 * literal defaults.
 */
function sourceSql(
  table: CompiledTable,
  row: RowValues,
  expressions: readonly string[],
  params: BoundValue[],
): string {
  const named = table.columns.filter((column) => expressions.some((text) => text.includes(column.quoted)));
  if (named.length === 0) return '';
  const values = named.map((column) => {
    const provided = row.find((entry) => entry.column === column);
    params.push(provided?.value ?? (column.default.kind === 'literal' ? column.default.text : null));
    return `${writePlaceholder(column)} AS ${column.quoted}`;
  });
  return ` FROM (SELECT ${values.join(', ')}) AS r`;
}

/** Adds the evaluated key columns to the row. */
export function withEvaluated(
  table: CompiledTable,
  row: RowValues,
  index: number,
  results: readonly ResultSet[],
): RowValues {
  const found = results.find(({ statement: { role } }) => role.kind === 'defaults' && role.row === index);
  if (found === undefined) return row;
  const evaluated = evaluatedColumns(table, row).map((column, position) => ({
    column,
    value: bindCell(found.keyCell(0, position), column),
  }));
  return [...row, ...evaluated].sort((a, b) => a.column.position - b.column.position);
}

/**
 * Removes generated columns from a row. They were only evaluated to find the record, and cannot be inserted.
 */
export function withoutGenerated(row: RowValues): RowValues {
  return row.some((entry) => entry.column.generated !== null)
    ? row.filter((entry) => entry.column.generated === null)
    : row;
}

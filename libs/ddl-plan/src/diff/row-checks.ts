import type { CheckConstraint, ForeignKey, Index, Column } from '@rowhouse/schema-model';
import { quoteName, quoteNames } from '../sql-text.js';
import { rowNames, showColumn, type TableState } from './table-state.js';
import type { ColumnChange } from './column-change.js';
import type { RowCheck } from '../types.js';

/** The maximum number of rows that a check returns. */
const ROWS_SHOWN_MAX = 5;

/** Returns checks that find rows with values that do not fit the changed column. */
export function incompatibleChecks(state: TableState, to: Column, change: ColumnChange): RowCheck[] {
  const quoted = quoteName(to.name);
  return change.misfits.map((misfit) =>
    selectRows(
      state,
      [to.name],
      misfit.condition.replaceAll('{c}', () => quoted),
      `${state.name}.${to.name} ${misfit.problem}`,
    ),
  );
}

/**
 * Returns checks that find values that would be duplicates in a new unique key. If a part of the key is an
 * expression or a prefix, only the server can check it.
 *
 * @param after the table with the key; columns that are added with the key have the same value in all
 * existing rows
 */
function duplicateChecks(state: TableState, index: Index, after: TableState = state): RowCheck[] {
  if (index.columns.some((part) => part.name === null || part.prefixLength !== null)) return [];
  const names = index.columns.map((part) => part.name ?? '');
  const coming = names.filter((name) => !state.columns.has(name)).map((name) => after.columns.get(name));
  if (coming.some((column) => column === undefined || isNeverAlike(column))) return [];
  const existing = names.filter((name) => state.columns.has(name));
  const problem = `${state.name} contains the same ${names.join(', ')} more than once`;
  if (existing.length === 0)
    return [
      secondRow(
        state,
        `${state.name} contains more than one row, and all would have the same ${names.join(', ')}`,
      ),
    ];
  const list = existing.map((name) => valueIn(state, after, name)).join(', ');
  const present = existing.map((name) => `${quoteName(name)} IS NOT NULL`).join(' AND ');
  const visible = existing.map((name) => `MIN(${quoteName(name)}) AS ${quoteName(name)}`).join(', ');
  const sql = `SELECT ${visible} FROM ${quoteName(state.name)} WHERE ${present} GROUP BY ${list} HAVING COUNT(*) > 1 LIMIT ${ROWS_SHOWN_MAX}`;
  return [{ problem, sql, shows: existing }];
}

/**
 * Returns checks for new and existing unique keys in which values become equal that were different before.
 */
export function collisionChecks(state: TableState, after: TableState): RowCheck[] {
  const isChanged = (name: string | null): boolean =>
    name !== null && valueIn(state, after, name) !== quoteName(name);
  return after.indexes
    .filter(
      (index) =>
        index.unique &&
        (!state.indexes.includes(index) || index.columns.some((part) => isChanged(part.name))),
    )
    .flatMap((index) => duplicateChecks(state, index, after));
}

function valueIn(state: TableState, after: TableState, name: string): string {
  const [from, to] = [state.columns.get(name), after.columns.get(name)];
  const value =
    from === undefined || to === undefined || from.generated !== null ? null : convertedValue(from, to);
  return value === null ? quoteName(name) : value.replaceAll('{c}', () => quoteName(name));
}

/**
 * Reports whether an added column cannot have equal values in two rows. This is the case for AUTO_INCREMENT,
 * NULL and expressions.
 */
function isNeverAlike(column: Column): boolean {
  return (
    column.autoIncrement ||
    column.generated !== null ||
    column.default.kind === 'expression' ||
    (column.nullable && column.default.kind !== 'literal')
  );
}

function secondRow(state: TableState, problem: string): RowCheck {
  const shows = rowNames(state);
  return {
    problem,
    sql: `SELECT ${shows.map((name) => showColumn(state.columns.get(name), name)).join(', ')} FROM ${quoteName(state.name)} LIMIT 1, ${ROWS_SHOWN_MAX}`,
    shows,
  };
}

export function checkConstraintCheck(state: TableState, check: CheckConstraint): RowCheck {
  const named = [...state.columns.keys()].filter((name) => check.clause.includes(quoteName(name)));
  return selectRows(
    state,
    named,
    `NOT (${check.clause})`,
    `${state.name} contains rows that violate the check ${check.name}`,
  );
}

export function orphanCheck(state: TableState, key: ForeignKey): RowCheck {
  const joined = key.columns
    .map((name, index) => `p.${quoteName(key.referencedColumns[index] ?? '')} = c.${quoteName(name)}`)
    .join(' AND ');
  const present = key.columns.map((name) => `c.${quoteName(name)} IS NOT NULL`).join(' AND ');
  const shows = [...new Set([...rowNames(state), ...key.columns])];
  const visible = shows.map((name) => showColumn(state.columns.get(name), name, 'c.')).join(', ');
  const missing = `p.${quoteNames(key.referencedColumns.slice(0, 1))} IS NULL`;
  return {
    problem: `${state.name} contains rows whose ${key.columns.join(', ')} is not in ${key.referencedTable}`,
    sql: `SELECT ${visible} FROM ${quoteName(state.name)} c LEFT JOIN ${quoteName(key.referencedTable)} p ON ${joined} WHERE ${present} AND ${missing} LIMIT ${ROWS_SHOWN_MAX}`,
    shows,
  };
}

function selectRows(
  state: TableState,
  columns: readonly string[],
  condition: string,
  problem: string,
): RowCheck {
  const shows = [...new Set([...rowNames(state), ...columns])];
  const visible = shows.map((name) => showColumn(state.columns.get(name), name)).join(', ');
  return {
    problem,
    sql: `SELECT ${visible} FROM ${quoteName(state.name)} WHERE ${condition} LIMIT ${ROWS_SHOWN_MAX}`,
    shows,
  };
}

/**
 * Returns an SQL expression that converts `{c}` to the new type. Checks use it to find values that become
 * equal by rounding, truncation or another collation. Returns null if different values always remain
 * different.
 */
function convertedValue(from: Column, to: Column): string | null {
  if (from.valueKind === 'string' && to.valueKind === 'string') {
    return to.charset === null || to.collation === null || from.collation === to.collation
      ? null
      : `CONVERT({c} USING ${to.charset}) COLLATE ${to.collation}`;
  }
  const isNumeric = /^(integer|boolean|decimal|float|double|string)$/.test(from.valueKind);
  switch (to.valueKind) {
    case 'integer':
    case 'boolean':
      return isNumeric && from.valueKind !== 'integer' && from.valueKind !== 'boolean'
        ? 'CAST({c} AS DECIMAL(65))'
        : null;
    case 'decimal':
      return isNumeric && (from.valueKind !== 'decimal' || (to.scale ?? 0) < (from.scale ?? 0))
        ? `CAST({c} AS DECIMAL(${to.precision ?? 10},${to.scale ?? 0}))`
        : null;
    case 'date':
      return from.valueKind === 'date' ? null : 'CAST({c} AS DATE)';
    case 'datetime':
    case 'timestamp':
      return (to.fraction ?? 0) < (from.fraction ?? 0) || from.valueKind === 'string'
        ? `CAST({c} AS DATETIME(${to.fraction ?? 0}))`
        : null;
    case 'time':
      return from.valueKind === 'time' && (to.fraction ?? 0) >= (from.fraction ?? 0)
        ? null
        : `CAST({c} AS TIME(${to.fraction ?? 0}))`;
    default:
      return null;
  }
}

import type { CheckConstraint, ForeignKey, Index, Column } from '@rowhouse/schema-model';
import { ROWS_SHOWN_MAX } from './kept-name.js';
import { quoteName, quoteNames } from './sql-text.js';
import { rowNames, showColumn, type TableState } from './table-state.js';
import type { ColumnChange } from './compare-column.js';
import type { RowCheck } from './types.js';

/** Rows whose value does not fit the column as it will be. */
export function misfitChecks(state: TableState, to: Column, change: ColumnChange): RowCheck[] {
  const quoted = quoteName(to.name);
  return change.misfits.map((misfit) => selectRows(state, [to.name], misfit.condition.replaceAll('{c}', () => quoted), `${state.name}.${to.name} ${misfit.problem}`));
}

/** Values that a new unique key would hold twice. Key parts that are expressions or prefixes are left to the server. */
export function duplicateChecks(state: TableState, index: Index, collate: ReadonlyMap<string, string> = new Map()): RowCheck[] {
  const names = index.columns.map((part) => part.name ?? '');
  if (index.columns.some((part) => part.name === null || part.prefixLength !== null)) return [];
  // Columns that come with the same change hold one value in all rows: nothing can be asked of them yet.
  if (names.some((name) => !state.columns.has(name))) return [];
  const list = names.map((name) => `${quoteName(name)}${collate.get(name) ?? ''}`).join(', ');
  const present = names.map((name) => `${quoteName(name)} IS NOT NULL`).join(' AND ');
  const shown = names.map((name) => `MIN(${quoteName(name)}) AS ${quoteName(name)}`).join(', ');
  const sql = `SELECT ${shown} FROM ${quoteName(state.name)} WHERE ${present} GROUP BY ${list} HAVING COUNT(*) > 1 LIMIT ${ROWS_SHOWN_MAX}`;
  return [{ problem: `${state.name} holds the same ${names.join(', ')} more than once`, sql, shows: names }];
}

export function checkConstraintCheck(state: TableState, check: CheckConstraint): RowCheck {
  const named = [...state.columns.keys()].filter((name) => check.clause.includes(quoteName(name)));
  return selectRows(state, named, `NOT (${check.clause})`, `${state.name} holds rows that the check ${check.name} refuses`);
}

export function orphanCheck(state: TableState, key: ForeignKey): RowCheck {
  const joined = key.columns.map((name, at) => `p.${quoteName(key.referencedColumns[at] ?? '')} = c.${quoteName(name)}`).join(' AND ');
  const present = key.columns.map((name) => `c.${quoteName(name)} IS NOT NULL`).join(' AND ');
  const shows = [...new Set([...rowNames(state), ...key.columns])];
  const shown = shows.map((name) => showColumn(state.columns.get(name), name, 'c.')).join(', ');
  const missing = `p.${quoteNames(key.referencedColumns.slice(0, 1))} IS NULL`;
  return {
    problem: `${state.name} holds rows whose ${key.columns.join(', ')} is not in ${key.referencedTable}`,
    sql: `SELECT ${shown} FROM ${quoteName(state.name)} c LEFT JOIN ${quoteName(key.referencedTable)} p ON ${joined} WHERE ${present} AND ${missing} LIMIT ${ROWS_SHOWN_MAX}`,
    shows,
  };
}

function selectRows(state: TableState, columns: readonly string[], condition: string, problem: string): RowCheck {
  const shows = [...new Set([...rowNames(state), ...columns])];
  const shown = shows.map((name) => showColumn(state.columns.get(name), name)).join(', ');
  return { problem, sql: `SELECT ${shown} FROM ${quoteName(state.name)} WHERE ${condition} LIMIT ${ROWS_SHOWN_MAX}`, shows };
}

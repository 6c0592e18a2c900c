import type { Edge } from '../resolve/table-graph.js';
import type { Param, Quantity, TimeUnit } from '../types.js';
import { quoteName } from '@rowhouse/schema-model';

export interface Part {
  readonly sql: string;
  readonly params: readonly Param[];
}

/**
 * The joins and aliases of one SELECT. The keys of `aliases` identify mentions, and tables on the paths
 * between them.
 */
export interface Scope {
  readonly joins: string[];
  readonly aliases: Map<string, string>;
}

/** Returns the condition of a join by a foreign key, from the alias `source` to the alias `target`. */
export function joinOn(source: string, target: string, edge: Edge): string {
  return edge.fromColumns
    .map(
      (name, index) => `${target}.${quoteName(edge.toColumns[index] ?? '')} = ${source}.${quoteName(name)}`,
    )
    .join(' AND ');
}

/** Returns the SQL that compares `COUNT(*)` with a required number of rows. */
export function renderQuantity({ op, count, upTo }: Quantity): string {
  return upTo === undefined ? `${op} ${count}` : `BETWEEN ${count} AND ${upTo}`;
}

/** Returns the SQL for the day, month or year of a time. It is used in SELECT and in GROUP BY. */
export function renderUnit(column: string, unit: TimeUnit | undefined): string {
  switch (unit) {
    case undefined:
      return column;
    case 'day':
      return `DATE(${column})`;
    case 'month':
      return `DATE_FORMAT(${column}, '%Y-%m')`;
    case 'year':
      return `YEAR(${column})`;
  }
}

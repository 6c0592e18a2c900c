import type { Edge } from '../resolve/table-graph.js';
import type { Param, Quantity, TimeUnit } from '../types.js';
import { quoteName } from '@rowhouse/schema-model';

export interface Part {
  readonly sql: string;
  readonly params: readonly Param[];
}

/** The joins and aliases of one SELECT. The keys of `aliases` identify mentions and tables on their paths. */
export interface Scope {
  readonly joins: string[];
  readonly aliases: Map<string, string>;
}

/** Renders the condition of a join along a foreign key, from the alias `source` to the alias `target`. */
export function joinOn(source: string, target: string, edge: Edge): string {
  return edge.fromColumns
    .map(
      (name, index) => `${target}.${quoteName(edge.toColumns[index] ?? '')} = ${source}.${quoteName(name)}`,
    )
    .join(' AND ');
}

/** Renders the comparison of `COUNT(*)` with a required number of rows. */
export function renderQuantity({ op, count, upTo }: Quantity): string {
  return upTo === undefined ? `${op} ${count}` : `BETWEEN ${count} AND ${upTo}`;
}

/** Renders the day, month or year of a time, for SELECT as well as GROUP BY. */
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

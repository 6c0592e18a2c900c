import type { SlowShape } from '@rowhouse/contracts';
import type { Table } from '@rowhouse/schema-model';
import { readTablePath } from './usage-breakdown-service.js';

/** As the request log holds it. */
export interface ShapeRow {
  readonly route: string;
  readonly shape: string;
  readonly requests: string;
  readonly mean_us: string;
}

/** More columns than that seldom narrow any further. */
const INDEX_COLUMNS_MAX = 3;
/** Whole values of these cannot stand in an index. */
const UNINDEXABLE = /text|blob|json|geometry|point|polygon|linestring|vector/;

/** Shapes with the table they are of, and an index where none helps yet. */
export function toSlowShapes(rows: readonly ShapeRow[], tables: readonly Table[]): SlowShape[] {
  return rows.flatMap((row) => {
    const table = tables.find((candidate) => candidate.path === readTablePath(row.route));
    if (table === undefined) return [];
    return [{ table: table.name, asked: `${table.name} ${row.shape}`, requests: Number(row.requests), mean_ms: Math.round(Number(row.mean_us)) / 1_000, index_sql: proposeIndex(table, row.shape) }];
  });
}

/** `CREATE INDEX …`, or null: an index begins with a column of the conditions already, or none can be made. */
export function proposeIndex(table: Table, shape: string): string | null {
  const parts = /^(?:where (\w+(?:, \w+)*))? ?(?:sort (\w+(?:, \w+)*))?$/.exec(shape);
  if (parts === null || table.kind !== 'table') return null;
  const where = readColumns(table, parts[1]);
  const wanted = [...new Set([...where, ...readColumns(table, parts[2])])].slice(0, INDEX_COLUMNS_MAX);
  const leading = where.length > 0 ? where : wanted.slice(0, 1);
  const isIndexed = [...(table.primaryKey === null ? [] : [table.primaryKey[0]]), ...table.indexes.filter((index) => index.kind === 'btree').map((index) => index.columns[0]?.name)].some((name) => leading.some((column) => column === name));
  if (wanted.length === 0 || isIndexed) return null;
  return `CREATE INDEX ${quote(`${table.name}_${wanted.join('_')}`.slice(0, 64))} ON ${quote(table.name)} (${wanted.map(quote).join(', ')})`;
}

function readColumns(table: Table, list: string | undefined): string[] {
  const names = list?.split(', ') ?? [];
  return names.filter((name) => table.columns.some((column) => column.name === name && !UNINDEXABLE.test(column.type)));
}

function quote(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

import type { SlowShape } from '@rowhouse/contracts';
import { proposeIndex, type Table } from '@rowhouse/schema-model';
import { readTablePath } from './usage-breakdown-service.js';

/** A row of the request log. */
export interface ShapeRow {
  readonly route: string;
  readonly shape: string;
  readonly requests: string;
  readonly mean_us: string;
}

/** Returns shapes with their table, and an index if none helps yet. */
export function toSlowShapes(rows: readonly ShapeRow[], tables: readonly Table[]): SlowShape[] {
  return rows.flatMap((row) => {
    const table = tables.find((candidate) => candidate.path === readTablePath(row.route));
    if (table === undefined) return [];
    return [
      {
        table: table.name,
        asked: `${table.name} ${row.shape}`,
        requests: Number(row.requests),
        mean_ms: Math.round(Number(row.mean_us)) / 1_000,
        index_sql: proposeForShape(table, row.shape),
      },
    ];
  });
}

/** Returns an index for a shape of the request log, or null. */
export function proposeForShape(table: Table, shape: string): string | null {
  const parts = /^(?:where (\w+(?:, \w+)*))? ?(?:sort (\w+(?:, \w+)*))?$/.exec(shape);
  return parts === null ? null : proposeIndex(table, readList(parts[1]), readList(parts[2]));
}

function readList(list: string | undefined): string[] {
  return list?.split(', ') ?? [];
}

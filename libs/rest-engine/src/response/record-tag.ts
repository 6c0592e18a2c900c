import type { CompiledTable } from '@rowhouse/schema-model';
import type { StreamPlan } from '../plan/list/plan-window.js';
import type { ResultShape, ResultSet } from '../sql/statement.js';
import type { Cell, DigestCells } from '../values/cell.js';
import { versionColumns } from '../plan/version-columns.js';

/**
 * Returns the ETag of one record: the snapshot's number, and the digest of the stored columns. If the
 * response includes related records, `body` is given, and the digest of the body is appended. `from` is the
 * position of the version's cells among the retained cells of the row.
 */
export function recordTag(
  table: CompiledTable,
  result: ResultSet,
  from: number,
  digest: DigestCells,
  body: string | Uint8Array | null,
  row = 0,
): string {
  const cells = versionColumns(table).map((_, index) => result.keyCell(row, from + index));
  return writeTag(table, cells, digest, body);
}

/** Computes the versions of the rows of a stream. */
export interface RowTags {
  /** Computes the version from all cells of a row, in the order of the shape. */
  ofCells(cells: readonly Cell[]): string;
  /** Computes the version from the retained cells of a row, in the order of `shape.keys`. */
  ofKeys(keys: readonly Cell[]): string;
}

/**
 * Returns the function that computes the versions of a stream's rows. Returns null if the stream does not
 * show versions.
 */
export function streamTags(plan: StreamPlan, shape: ResultShape, digest: DigestCells): RowTags | null {
  if (plan.kind !== 'list' || !plan.hasEtag) return null;
  const { table } = plan;
  const count = versionColumns(table).length;
  const locations = shape.keys.slice(-count);
  return {
    ofCells: (cells) =>
      writeTag(
        table,
        locations.map((position) => cells[position] ?? null),
        digest,
        null,
      ),
    ofKeys: (keys) => writeTag(table, keys.slice(-count), digest, null),
  };
}

function writeTag(
  table: CompiledTable,
  cells: readonly Cell[],
  digest: DigestCells,
  body: string | Uint8Array | null,
): string {
  return `"${table.schema.number}.${digest(cells)}${body === null ? '' : `.${digest([body])}`}"`;
}

/**
 * Returns the member `"_etag":"…"` of a row. Its value is the tag as in the header `ETag`, including the
 * quotes.
 */
export function tagMember(
  table: CompiledTable,
  result: ResultSet,
  row: number,
  from: number,
  digest: DigestCells,
): string {
  return `"_etag":${JSON.stringify(recordTag(table, result, from, digest, null, row))}`;
}

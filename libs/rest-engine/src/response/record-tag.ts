import type { CompiledTable } from '@rowhouse/schema-model';
import type { StreamPlan } from '../plan/plan-stream.js';
import type { ResultShape } from '../sql/statement.js';
import { versionColumns } from '../sql/version-columns.js';
import type { Cell, ResultSet } from './result-set.js';

/**
 * A keyed digest over cells: 22 characters of base64url. Equal cells give equal digests; a digest tells nothing of
 * its cells to somebody without the key.
 */
export type DigestCells = (cells: readonly Cell[]) => string;

/**
 * The ETag of one record: the snapshot's number, the digest of its stored columns, and with related records in the
 * body the digest of the body. `from`: where the version's cells begin among the kept cells of the row.
 */
export function recordTag(table: CompiledTable, result: ResultSet, from: number, digest: DigestCells, body: string | Uint8Array | null, row = 0): string {
  const cells = versionColumns(table).map((_, at) => result.keyCell(row, from + at));
  return writeTag(table, cells, digest, body);
}

/** The versions of the rows of a stream. */
export interface RowTags {
  /** From all cells of a row, in the order of the shape. */
  ofCells(cells: readonly Cell[]): string;
  /** From the kept cells of a row, in the order of the shape's keys. */
  ofKeys(keys: readonly Cell[]): string;
}

/** Returns the versions of the rows of a stream; null where they have none to show. */
export function streamTags(plan: StreamPlan, shape: ResultShape, digest: DigestCells): RowTags | null {
  if (plan.kind !== 'list' || !plan.hasEtag) return null;
  const { table } = plan;
  const count = versionColumns(table).length;
  const places = shape.keys.slice(-count);
  return {
    ofCells: (cells) => writeTag(table, places.map((place) => cells[place] ?? null), digest, null),
    ofKeys: (keys) => writeTag(table, keys.slice(-count), digest, null),
  };
}

function writeTag(table: CompiledTable, cells: readonly Cell[], digest: DigestCells, body: string | Uint8Array | null): string {
  return `"${table.schema.number}.${digest(cells)}${body === null ? '' : `.${digest([body])}`}"`;
}

/** `"_etag":"…"` of a row: the tag as a header has it, quotes included. */
export function tagMember(table: CompiledTable, result: ResultSet, row: number, from: number, digest: DigestCells): string {
  return `"_etag":${JSON.stringify(recordTag(table, result, from, digest, null, row))}`;
}

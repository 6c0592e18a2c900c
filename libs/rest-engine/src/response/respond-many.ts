import type { DeleteManyPlan, UpdateManyPlan, UpsertPlan } from '../plan/plan.js';
import { countInserted, hasUpsertTag } from '../sql/write/upsert-program.js';
import { makeLocation } from './make-location.js';
import { recordTag } from './record-tag.js';
import type { ResultSet } from '../sql/statement.js';
import type { Assembler } from './assemble.js';
import type { DigestCells } from '../values/cell.js';

/**
 * The maximum size for building a body as text, which is faster for small bodies. For larger bodies, bytes
 * avoid decoding and encoding.
 */
const TEXT_BYTES_MAX = 64 * 1024;

/**
 * The status, the body and the specific headers of a response. `toResponse` adds the headers that all
 * responses have.
 */
export interface PlainResponse {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly headers: Record<string, string>;
}

/**
 * Returns `{"updated":3}`, or the records themselves: as they are after an update, or as they were before a
 * delete.
 */
export function respondMany(
  plan: UpdateManyPlan | DeleteManyPlan,
  results: readonly ResultSet[],
): PlainResponse {
  const affected = results
    .filter((result) => result.statement.role.kind === 'write')
    .reduce((sum, result) => sum + result.affectedRows, 0);
  if (plan.returned === null)
    return {
      status: 200,
      body: plan.kind === 'update_many' ? `{"updated":${affected}}` : `{"deleted":${affected}}`,
      headers: {},
    };
  const role = plan.kind === 'update_many' ? 'records' : 'lock';
  return {
    status: 200,
    body: joinRecords(results.filter((result) => result.statement.role.kind === role)),
    headers: {},
  };
}

/** Returns the response of an upsert. The status is 201 if at least one record was created. */
export function respondUpsert(
  plan: UpsertPlan,
  results: readonly ResultSet[],
  digest: DigestCells,
): PlainResponse {
  const records = results.filter((result) => result.statement.role.kind === 'records');
  const status = countInserted(results) > 0 ? 201 : 200;
  if (plan.isBulk) return { status, body: joinRecords(records), headers: {} };
  const [first] = records;
  // If a trigger changed the key, the record exists but cannot be found by the requested key.
  if (first === undefined || first.rowCount === 0)
    return { status, body: status === 201 ? '{"created":1}' : '{"updated":1}', headers: {} };
  const headers: Record<string, string> = {};
  if (status === 201 && plan.table.rowKey !== null) headers['Location'] = makeLocation(plan, first);
  if (hasUpsertTag(plan))
    headers['ETag'] = recordTag(plan.table, first, plan.table.rowKey?.length ?? 0, digest, null);
  return { status, body: recordBody(first), headers };
}

/** Joins the records of all results to one JSON array. */
export function joinRecords(results: readonly ResultSet[]): string | Uint8Array {
  const [first, ...others] = results.filter((result) => result.rowCount > 0);
  if (first === undefined) return '[]';
  return others.length === 0 ? first.arrayText(first.rowCount) : first.arrayTextAnd(others);
}

/** Returns one record as the body of a response. */
export function recordBody(result: ResultSet): string | Uint8Array {
  const bytes = isLarge([result]) ? result.recordBytes(0, 1) : null;
  return bytes ?? `{${result.membersText(0)}}`;
}

/** Returns one record with its includes as the body of a response. */
export function assembledBody(
  assembler: Assembler,
  record: ResultSet,
  results: readonly ResultSet[],
): string | Uint8Array {
  if (!isLarge(results)) return assembler.recordText(record, 0);
  const array = record.arrayTextWith(1, (row, to) => assembler.addMembers(record, row, to));
  return typeof array === 'string' ? array.slice(1, -1) : array.subarray(1, -1);
}

function isLarge(results: readonly ResultSet[]): boolean {
  let bytes = 0;
  for (const result of results) bytes += result.byteLength?.() ?? 0;
  return bytes > TEXT_BYTES_MAX;
}

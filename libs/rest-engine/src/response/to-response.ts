import { AppError } from '@rowhouse/errors';
import type { CreatePlan, DeletePlan, ListPlan, Plan, ReadPlan, UpdatePlan } from '../plan/plan.js';
import { respondExplain } from './respond-explain.js';
import {
  respondMany,
  respondUpsert,
  joinRecords,
  type PlainResponse,
  assembledBody,
  recordBody,
} from './respond-many.js';
import type { NestedUpdatePlan } from '../plan/write/nested/nested-plan.js';
import { respondNested, respondNestedUpdate } from './respond-nested.js';
import type { ApiResponse } from './api-response.js';
import { createAssembler } from './assemble.js';
import { makeCursorLink, makeLink, makeCursors } from './make-link.js';
import { makeLocation } from './make-location.js';
import { hasUpdateTag, movesRecord } from '../sql/write/change-program.js';
import { hasTag } from '../sql/write/create-program.js';
import { neededColumns } from '../sql/read/include-keys.js';
import { recordTag, tagMember } from './record-tag.js';
import type { ResultSet } from '../sql/statement.js';
import type { AggregatePlan } from '../plan/aggregate/aggregate-plan.js';
import type { StreamPlan } from '../plan/list/plan-window.js';
import type { LineWriter } from './line-writer.js';
import { versionColumns } from '../plan/version-columns.js';
import type { DigestCells } from '../values/cell.js';

/**
 * Returns the response of a plan after all of its statements have succeeded. Throws 404 `record.not_found`.
 * `results` contains the results of all rounds in order. After the call, only their counts may be used.
 * `digest` computes the ETag.
 */
export function toResponse(plan: Plan, results: readonly ResultSet[], digest: DigestCells): ApiResponse {
  const response = respondPlan(plan, results, digest);
  // Text is a copy, so the results can be released. Bytes may belong to a result.
  if (!(response.body instanceof Uint8Array)) for (const result of results) result.release();
  return response;
}

function respondPlan(plan: Plan, results: readonly ResultSet[], digest: DigestCells): ApiResponse {
  switch (plan.kind) {
    case 'list':
      return respondList(plan, results, digest);
    case 'explain':
      return withPlain(plan, respondExplain(plan, results));
    case 'aggregate':
      return withPlain(plan, respondAggregate(plan, results));
    case 'read':
      return respondRead(plan, results, digest);
    case 'create':
      return respondCreate(plan, results, digest);
    case 'create_nested':
      return withPlain(plan, respondNested(plan, results, digest));
    case 'update_nested':
      return respondNestedChange(plan, results, digest);
    case 'update':
      return respondUpdate(plan, results, digest);
    case 'upsert':
      return withPlain(plan, respondUpsert(plan, results, digest));
    case 'update_many':
    case 'delete_many':
      return withPlain(plan, respondMany(plan, results));
    case 'delete':
      return respondDelete(plan, results);
  }
}

function recordsOf(results: readonly ResultSet[]): ResultSet[] {
  return results.filter((result) => result.statement.role.kind === 'records');
}

/**
 * Adds the headers that all JSON responses share. The gateway adds `X-Request-Id` and the headers for caching
 * and CORS.
 */
function createResponse(
  plan: Plan,
  status: number,
  body: ApiResponse['body'],
  headers: Record<string, string> = {},
): ApiResponse {
  const { applied: wished } = plan.preferences;
  const applied = wished.length === 0 ? wished : wished.filter((preference) => isApplied(plan, preference));
  if (body !== null) headers['Content-Type'] = 'application/json; charset=utf-8';
  if (applied.length > 0) headers['Preference-Applied'] = applied.join(', ');
  return { status, headers, body };
}

function withPlain(plan: Plan, { status, body, headers }: PlainResponse): ApiResponse {
  return createResponse(plan, status, body, headers);
}

/**
 * Reports whether a preference took effect. An API key without the right to read receives no representation,
 * whatever it prefers.
 */
function isApplied(plan: Plan, preference: string): boolean {
  if (preference === 'return=representation') return 'returned' in plan && plan.returned !== null;
  if (preference.startsWith('max-affected='))
    return plan.kind === 'update_many' || plan.kind === 'delete_many';
  if (preference.startsWith('csv-formulas=') || preference.startsWith('on-error=')) return false;
  return !preference.startsWith('resolution=') || plan.kind === 'upsert';
}

function respondList(plan: ListPlan, results: readonly ResultSet[], digest: DigestCells): ApiResponse {
  const records = recordsOf(results)[0];
  const { limit, style } = plan.window;
  const rows = Math.min(records?.rowCount ?? 0, limit);
  const hasMore = (records?.rowCount ?? 0) > limit;
  const headers: Record<string, string> = { 'X-Has-More': String(hasMore) };
  const cut: string[] = style === 'all' && hasMore ? ['true'] : [];
  const isBackward = plan.cursor?.direction === 'prev';
  let body: ApiResponse['body'];
  if (records === undefined) body = '[]';
  else if (!isBackward && plan.include.length === 0 && !plan.hasEtag) body = records.arrayText(rows);
  else {
    const assembler = createAssembler(
      plan.include,
      results,
      digest,
      plan.hasEtag ? (result, row) => tagMember(plan.table, result, row, keysBeforeTag(plan), digest) : null,
    );
    body = isBackward
      ? `[${Array.from({ length: rows }, (_, row) => assembler.recordText(records, rows - 1 - row)).join(',')}]`
      : records.arrayTextWith(rows, (row, to) => assembler.addMembers(records, row, to));
    cut.push(...[...assembler.cutPaths].map(encodeURI));
    for (const result of results) if (result.statement.role.kind === 'include') result.release();
  }
  if (cut.length > 0) headers['X-Truncated'] = cut.join(', ');
  const cursors = makeCursors(plan, records, rows, hasMore);
  const onward = hasMore ? cursors[plan.cursor?.direction ?? 'next'] : null;
  if (onward !== null) headers['X-Next-Cursor'] = onward;
  const link = plan.cursor === null ? makeLink(plan, hasMore) : makeCursorLink(plan, cursors);
  if (link !== null) headers['Link'] = link;
  const count = results.find((result) => result.statement.role.kind === 'count');
  if (count !== undefined) headers['X-Total-Count'] = String(count.keyCell(0, 0));
  return createResponse(plan, 200, body, headers);
}

/** Returns the number of retained cells before the cells of the record's version. */
function keysBeforeTag({ include, cursor, sort }: ListPlan): number {
  return neededColumns(include).length + (cursor === null ? 0 : sort.length);
}

function respondRead(plan: ReadPlan, results: readonly ResultSet[], digest: DigestCells): ApiResponse {
  const records = recordsOf(results)[0];
  if (records === undefined || records.rowCount === 0) throw new AppError('record.not_found');
  if (plan.include.length === 0 && !plan.hasEtag)
    return createResponse(plan, 200, recordBody(records), {
      ETag: recordTag(plan.table, records, 0, digest, null),
    });
  const from = neededColumns(plan.include).length;
  const assembler = createAssembler(
    plan.include,
    results,
    digest,
    plan.hasEtag ? (result, row) => tagMember(plan.table, result, row, from, digest) : null,
  );
  const body = assembledBody(assembler, records, results);
  const cut = [...assembler.cutPaths].map(encodeURI).join(', ');
  const tagWith = (of: string | null): string => recordTag(plan.table, records, from, digest, of);
  const headers: Record<string, string> = cut === '' ? {} : { 'X-Truncated': cut };
  if (plan.include.length > 0 && typeof body !== 'string')
    return { ...createResponse(plan, 200, body, headers), tagWith };
  return createResponse(plan, 200, body, {
    ...headers,
    ETag: tagWith(plan.include.length === 0 || typeof body !== 'string' ? null : body),
  });
}

function respondNestedChange(
  plan: NestedUpdatePlan,
  results: readonly ResultSet[],
  digest: DigestCells,
): ApiResponse {
  const { body, headers } = respondNestedUpdate(plan, results, digest);
  return createResponse(plan, body === null ? 204 : 200, body, headers);
}

function respondCreate(plan: CreatePlan, results: readonly ResultSet[], digest: DigestCells): ApiResponse {
  // The records are in the last results, because earlier statements may have read other records.
  const records = recordsOf(results)
    .slice(-plan.rows.length)
    .filter((result) => result.rowCount > 0);
  const first = records[0];
  // The record cannot be read back if the table has no key, or if it was deleted in the meantime.
  if (first === undefined) return createResponse(plan, 201, `{"created":${plan.rows.length}}`);
  if (!plan.isBulk) {
    const headers: Record<string, string> = { Location: makeLocation(plan, first) };
    if (hasTag(plan))
      headers['ETag'] = recordTag(plan.table, first, plan.table.rowKey?.length ?? 0, digest, null);
    return createResponse(plan, 201, recordBody(first), headers);
  }
  return createResponse(plan, 201, joinRecords(records));
}

function respondUpdate(plan: UpdatePlan, results: readonly ResultSet[], digest: DigestCells): ApiResponse {
  const write = results.find((result) => result.statement.role.kind === 'write');
  const records = recordsOf(results)[0];
  if (write?.affectedRows === 0 || records?.rowCount === 0) throw new AppError('record.not_found');
  const tag: Record<string, string> =
    records === undefined || !hasUpdateTag(plan)
      ? {}
      : { ETag: recordTag(plan.table, records, 0, digest, null) };
  if (records !== undefined && movesRecord(plan))
    tag['Location'] = makeLocation(plan, records, hasUpdateTag(plan) ? versionColumns(plan.table).length : 0);
  if (plan.returned === null || records === undefined) return createResponse(plan, 204, null, tag);
  return createResponse(plan, 200, recordBody(records), tag);
}

function respondDelete(plan: DeletePlan, results: readonly ResultSet[]): ApiResponse {
  const write = results.find((result) => result.statement.role.kind === 'write');
  if ((write?.affectedRows ?? 0) === 0) throw new AppError('record.not_found');
  return createResponse(plan, 204, null);
}

/** Returns the response with the groups of an aggregate request. Its paging headers are those of lists. */
function respondAggregate(plan: AggregatePlan, results: readonly ResultSet[]): PlainResponse {
  const groups = results.find((result) => result.statement.role.kind === 'records');
  const count = results.find((result) => result.statement.role.kind === 'count');
  const { limit, style } = plan.window;
  const found = groups?.rowCount ?? 0;
  const hasMore = found > limit;
  const headers: Record<string, string> = { 'X-Has-More': String(hasMore) };
  if (style === 'all' && hasMore) headers['X-Truncated'] = 'true';
  const link = makeLink(plan, hasMore);
  if (link !== null) headers['Link'] = link;
  if (count !== undefined) headers['X-Total-Count'] = String(count.keyCell(0, 0));
  return { status: 200, body: groups?.arrayText(Math.min(found, limit)) ?? '[]', headers };
}

/**
 * Returns the headers of a streamed list. They are sent before the records are known, so no header reports a
 * next page or omitted records.
 */
export function toStreamHead(
  plan: StreamPlan,
  writer: LineWriter,
  count: ResultSet | null,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { 'Content-Type': writer.contentType };
  if (count !== null) headers['X-Total-Count'] = String(count.keyCell(0, 0));
  const received = plan.format === 'csv' ? 'csv-formulas=' : 'numbers=';
  const applied = plan.preferences.applied.filter((preference) => preference.startsWith(received));
  if (applied.length > 0) headers['Preference-Applied'] = applied.join(', ');
  return headers;
}

import { AppError } from '@rowhouse/errors';
import type { NestedCreatePlan, NestedUpdatePlan } from '../plan/write/nested/nested-plan.js';
import { neededColumns } from '../sql/read/include-keys.js';
import { hasNestedTag } from '../sql/write/nested-program.js';
import type { PlainResponse } from './respond-many.js';
import { createAssembler } from './assemble.js';
import { makeLocation } from './make-location.js';
import { recordTag } from './record-tag.js';
import type { ResultSet } from '../sql/statement.js';
import type { DigestCells } from '../values/cell.js';

/**
 * Returns the created records as they are stored, each with the related records that were written with it.
 */
export function respondNested(
  plan: NestedCreatePlan,
  results: readonly ResultSet[],
  digest: DigestCells,
): PlainResponse {
  const records = results.filter((result) => result.statement.role.kind === 'records' && result.rowCount > 0);
  const [first] = records;
  // The record cannot be read back if the table has no key, or if a trigger has changed the key.
  if (first === undefined) return { status: 201, body: `{"created":${plan.roots.length}}`, headers: {} };
  const assembler = createAssembler(plan.include, results, digest);
  const texts = records.map((result) => assembler.recordText(result, 0));
  const headers: Record<string, string> = {};
  if (assembler.cutPaths.size > 0) headers['X-Truncated'] = [...assembler.cutPaths].map(encodeURI).join(', ');
  if (plan.isBulk) return { status: 201, body: `[${texts.join(',')}]`, headers };
  const body = texts[0] ?? '{}';
  const before = neededColumns(plan.include).length;
  headers['Location'] = makeLocation(plan, first, before);
  if (hasNestedTag(plan))
    headers['ETag'] = recordTag(
      plan.table,
      first,
      before + (plan.table.rowKey?.length ?? 0),
      digest,
      plan.include.length === 0 ? null : body,
    );
  return { status: 201, body, headers };
}

/**
 * Returns the changed record as it is stored, with the relationships that the body names. Returns no body if
 * the client asked for a minimal response.
 */
export function respondNestedUpdate(
  plan: NestedUpdatePlan,
  results: readonly ResultSet[],
  digest: DigestCells,
): Omit<PlainResponse, 'status' | 'body'> & { readonly body: string | null } {
  const record = results.find((result) => result.statement.role.kind === 'records');
  if (record === undefined || record.rowCount === 0) throw new AppError('record.not_found');
  const assembler = createAssembler(plan.include, results, digest);
  const body = plan.returned === null ? null : assembler.recordText(record, 0);
  const headers: Record<string, string> = {};
  if (assembler.cutPaths.size > 0) headers['X-Truncated'] = [...assembler.cutPaths].map(encodeURI).join(', ');
  const from = neededColumns(plan.include).length + (plan.table.rowKey?.length ?? 0);
  if (hasNestedTag(plan))
    headers['ETag'] = recordTag(plan.table, record, from, digest, plan.include.length === 0 ? null : body);
  return { body, headers };
}

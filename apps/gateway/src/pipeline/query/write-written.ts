import { AppError } from '@rowhouse/errors';
import type { GuardedQuery } from '@rowhouse/query-engine';
import type { QueryRun } from './run-query.js';

/** Writes the short response of a write without RETURNING. */
export function writeWritten(written: NonNullable<QueryRun['written']>): string {
  return `{"success":true,"affected_rows":${written.affectedRows},"insert_id":${written.insertId ?? 'null'}}`;
}

/**
 * Rejects formats other than JSON for a write, whose response is not a list of rows.
 *
 * @throws AppError 406
 */
export function rejectOtherThanJson({ kind }: GuardedQuery): void {
  if (kind !== 'insert' && kind !== 'update' && kind !== 'delete') return;
  throw new AppError('request.not_acceptable', {
    detail: 'A statement that writes is answered as JSON.',
    hint: 'Send Accept: application/json.',
  });
}

import { AppError } from '@rowhouse/errors';
import type { GuardedQuery } from '@rowhouse/query-engine';
import type { QueryRun } from './run-query.js';

/** The short answer of a statement that wrote and gives no rows. */
export function writeWritten(written: NonNullable<QueryRun['written']>): string {
  return `{"success":true,"affected_rows":${written.affectedRows},"insert_id":${written.insertId ?? 'null'}}`;
}

/** Throws 406 for a statement that writes: its answer is no list of rows. */
export function refuseOtherThanJson({ kind }: GuardedQuery): void {
  if (kind !== 'insert' && kind !== 'update' && kind !== 'delete') return;
  throw new AppError('request.not_acceptable', { detail: 'A statement that writes is answered as JSON.', hint: 'Send Accept: application/json.' });
}

import { AppError } from '@rowhouse/errors';
import type { TenantDatabase } from '../tenant/tenant.js';

const CREATING: ReadonlySet<string> = new Set(['create', 'create_nested', 'update_nested', 'upsert', 'insert']);

/** Throws `limit.storage` 507 for what creates records in a database that is over its quota. All others may still change and delete. */
export function assertRoom({ record }: TenantDatabase, kind: string): void {
  if (!record.isStorageFull || !CREATING.has(kind)) return;
  throw new AppError('limit.storage', { hint: 'Delete records or drop tables; room that was freed is seen within a minute of the next measurement. Or have the operator give the database another plan.' });
}

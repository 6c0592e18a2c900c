import { AppError } from '@rowhouse/errors';
import type { TenantDatabase } from '../tenant/tenant.js';

const CREATING: ReadonlySet<string> = new Set([
  'create',
  'create_nested',
  'update_nested',
  'upsert',
  'insert',
]);

/**
 * Checks the storage quota of a database before a request creates records. Other changes are always allowed.
 *
 * @throws AppError `limit.storage` (507)
 */
export function assertStorageQuota({ record }: TenantDatabase, kind: string): void {
  if (!record.isStorageFull || !CREATING.has(kind)) return;
  throw new AppError('limit.storage', {
    hint:
      'Delete records or drop tables, or ask the operator for a larger plan. Freed space is ' +
      'available within a minute.',
  });
}

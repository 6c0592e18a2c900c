import { quoteName } from '@rowhouse/schema-model';
import type { PoolAccount } from '../types.js';

/**
 * Returns whether a statement names a table whose code may change the session. A column with the same name
 * counts too.
 */
export function runsTenantCode({ codeTables }: Pick<PoolAccount, 'codeTables'>, sql: string): boolean {
  const names = codeTables?.();
  return names !== undefined && names.some((name) => sql.includes(quoteName(name)));
}

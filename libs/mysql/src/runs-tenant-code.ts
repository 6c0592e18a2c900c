import { quoteName } from '@rowhouse/schema-model';
import type { PoolAccount } from './pool-types.js';

/** Whether a statement names a table that may leave something behind on its session. A column of that name counts too. */
export function runsTenantCode({ codeTables }: Pick<PoolAccount, 'codeTables'>, sql: string): boolean {
  const names = codeTables?.();
  return names !== undefined && names.some((name) => sql.includes(quoteName(name)));
}

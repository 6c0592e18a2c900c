import type { GuardOptions } from '@rowhouse/query-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import type { Tenant } from '../../tenant/tenant.js';

/** What the key may read, and everything else of the database, which for it is not there. */
export function listGuardOptions(tenant: Tenant, compiled: CompiledSnapshot): GuardOptions {
  const tables = compiled.tableNames.filter((name) => compiled.findByName(name)?.verbs.includes('read'));
  const known = new Set(tables);
  const hiddenNames = compiled.snapshot.tables.map((table) => table.name).filter((name) => !known.has(name));
  return { tables, hiddenNames, schemaName: tenant.database.record.schemaName };
}

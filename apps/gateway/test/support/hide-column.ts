import type { TestCell, TestTenant } from './test-cell.js';

/** Hides one column of the tenant, and no other one, as a change of settings does. */
export async function hideColumn(
  cell: TestCell,
  tenant: TestTenant,
  table: string,
  column: string,
): Promise<void> {
  await cell.pool.run(
    "UPDATE tenant_database SET settings = JSON_SET(settings, '$.hidden_columns', JSON_OBJECT(?, JSON_ARRAY(?))), version = version + 1 WHERE id = ?",
    [table, column, tenant.databaseId],
  );
  await cell.change(tenant.databaseId, 'settings');
}

import type { Scope, TableRights } from '@rowhouse/contracts';
import { hashWriteRights, toWriteRights } from '@rowhouse/credentials';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import type { TaskRunner } from '../../platform/task-runner.js';

/** Creates the account with exactly these rights before a key with `query:write` is returned. */
export async function grantSqlWrites(
  tasks: TaskRunner,
  database: TenantDatabase,
  scopes: readonly Scope[],
  tables: TableRights | null,
): Promise<void> {
  if (!scopes.includes('query:write')) return;
  await tasks.assertCapacityForGrants(database.projectId);
  const payload = {
    database_id: database.id,
    rights_hash: hashWriteRights(scopes, tables),
    tables: toWriteRights(scopes, tables),
    kind: 'query_write',
  } as const;
  await tasks.run('grant_rights', payload, { databaseId: database.id, projectId: database.projectId });
}

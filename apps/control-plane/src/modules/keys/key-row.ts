import type { KeyResponse, Scope, TableRights } from '@rowhouse/contracts';
import { generateApiKey, hashWriteRights, toWriteRights } from '@rowhouse/credentials';
import { createId } from '@rowhouse/runtime';
import { toIso } from '../../http/timestamps.js';
import { ApiKey } from '../../platform-db/entities/api-key.js';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import type { Secrets } from '../../platform/secrets.js';
import type { TaskRunner } from '../../platform/task-runner.js';

/** The properties of a key except its secret, id and usage. */
export type KeyTraits = Pick<
  ApiKey,
  | 'kind'
  | 'lineageId'
  | 'name'
  | 'scopes'
  | 'tables'
  | 'rightsHash'
  | 'origins'
  | 'rate'
  | 'rowsExaminedMax'
  | 'createdBy'
  | 'expiresAt'
  | 'sessionId'
>;

/** Creates the row of a new key and its secret, which is shown once. */
export function makeKeyRow(
  database: Pick<TenantDatabase, 'id' | 'cellId' | 'environment' | 'slot'>,
  secrets: Secrets,
  traits: KeyTraits,
): { row: ApiKey; secret: string } {
  const secret = generateApiKey(database.environment, database.slot);
  const row = Object.assign(new ApiKey(), {
    ...traits,
    id: createId('key'),
    cellId: database.cellId,
    databaseId: database.id,
    keyHash: secrets.hash(secret),
    last4: secret.slice(-4),
    replacedBy: null,
    createdAt: new Date(),
    revokedAt: null,
    lastUsedAt: null,
  });
  return { row, secret };
}

export function toKeyResponse(row: ApiKey): KeyResponse {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes,
    tables: row.tables,
    origins: row.origins,
    rate: row.rate,
    rows_examined_max: row.rowsExaminedMax,
    last4: row.last4,
    created_at: row.createdAt.toISOString(),
    created_by: row.createdBy,
    expires_at: toIso(row.expiresAt),
    last_used_at: toIso(row.lastUsedAt),
    replaced_by: row.replacedBy,
  };
}

/**
 * Creates the account with exactly these rights. It must exist before a key with `query:write` is returned.
 */
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

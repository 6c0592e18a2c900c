import type { KeyResponse } from '@rowhouse/contracts';
import { generateApiKey } from '@rowhouse/credentials';
import { createId } from '@rowhouse/runtime';
import { toIso } from '../../http/to-iso.js';
import { ApiKey } from '../../platform-db/entities/api-key.js';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import type { Secrets } from '../../platform/secrets.js';

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

import type { ConnectionResponse } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { toIso } from '../../http/timestamps.js';
import type { ConnectionUser } from '../../platform-db/entities/connection-user.js';
import type { ServerRow } from '../../platform-db/entities/server-row.js';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { toDirectHost } from './format-connection-string.js';

export function toConnectionResponse(
  row: ConnectionUser,
  database: TenantDatabase,
  server: ServerRow,
): ConnectionResponse {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    host: toDirectHost(server.publicHost, database.schemaName),
    port: server.publicPort,
    database: database.schemaName,
    user: row.userName,
    tls: server.publicTls === 'required',
    ca: server.publicTls === 'required' ? server.publicCa : null,
    created_at: row.createdAt.toISOString(),
    expires_at: toIso(row.expiresAt),
    previous_until: toIso(row.previousUntil),
  };
}

/** Throws `resource.not_found` for a revoked or expired connection. */
export function assertLive({ revokedAt, expiresAt }: ConnectionUser, nowMs: number): void {
  if (revokedAt !== null || (expiresAt !== null && expiresAt.getTime() <= nowMs))
    throw new AppError('resource.not_found', { detail: 'The connection does not exist.' });
}

import { DEFAULT_DATABASE_SETTINGS, type DatabaseResponse } from '@rowhouse/contracts';
import type { Config } from '../../config.js';
import { toIso } from '../../http/to-iso.js';
import type { ServerEngine } from './database-placement.js';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';

/** Converts a database row to its response. Append `/v1/-/…` to `base_url`. `engine` is that of its server, if known. */
export function toDatabaseResponse(
  row: TenantDatabase,
  { gatewayUrl, region }: Pick<Config, 'gatewayUrl' | 'region'>,
  engine: ServerEngine | undefined,
): DatabaseResponse {
  return {
    id: row.id,
    project_id: row.projectId,
    environment: row.environment,
    docs_slug: row.docsSlug,
    docs_url: `${gatewayUrl}/v1/-/docs/${row.docsSlug}`,
    base_url: gatewayUrl,
    region,
    engine: engine?.kind ?? null,
    engine_version: engine?.version ?? null,
    state: row.provisionState,
    snapshot_number: row.snapshotNumber,
    // Settings that are newer than the row have their defaults.
    settings: { ...DEFAULT_DATABASE_SETTINGS, ...row.settings },
    created_at: row.createdAt.toISOString(),
    missing_since: toIso(row.missingSince),
  };
}

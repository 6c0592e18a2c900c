import type { DatabaseAnswer } from '@rowhouse/contracts';
import { queryOptions } from '@tanstack/react-query';
import { isRecord } from '../client/api-error.js';
import { toGatewayAddress } from './gateway-address.js';
import { readTables, type TableView } from '../schema/read-tables.js';

/** The paths that are live in a database, from its public API description; null where that is switched off. */
export const livePathsQuery = (database: DatabaseAnswer) =>
  queryOptions({
    queryKey: ['gateway', database.id, 'paths', database.snapshot_number] as const,
    queryFn: () => fetchLivePaths(database),
    retry: false,
    enabled: database.settings.docs_enabled && database.state === 'ready',
  });

/** The live tables as a held key may see them. */
export const liveTablesQuery = (database: DatabaseAnswer, secret: string | null) =>
  queryOptions({
    queryKey: ['gateway', database.id, 'tables', database.snapshot_number, secret?.slice(-4) ?? ''] as const,
    queryFn: () => fetchLiveTables(database, secret ?? ''),
    retry: false,
    enabled: secret !== null && database.state === 'ready',
  });

async function fetchLivePaths(database: DatabaseAnswer): Promise<readonly string[] | null> {
  const answer = await fetch(toGatewayAddress(database.base_url, `/openapi/${database.docs_slug}`));
  if (!answer.ok) return null;
  const body: unknown = await answer.json();
  if (!isRecord(body) || !isRecord(body['paths'])) return null;
  const segments = Object.keys(body['paths']).map((path) => path.replace(/^\/v1\/-/, '').split('/')[1] ?? '');
  return [...new Set(segments)].filter((segment) => segment !== '');
}

async function fetchLiveTables(database: DatabaseAnswer, secret: string): Promise<readonly TableView[] | null> {
  const answer = await fetch(toGatewayAddress(database.base_url, '/schema'), { headers: { Authorization: `Bearer ${secret}` } });
  if (!answer.ok) return null;
  const body: unknown = await answer.json();
  return isRecord(body) ? readTables(body['tables']) : null;
}

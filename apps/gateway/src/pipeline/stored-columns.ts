import type { ApiRequest } from '@rowhouse/rest-engine';
import { readSnapshot } from '@rowhouse/snapshot-store';
import type { TenantDatabase } from '../tenant/tenant.js';
import type { Gateway } from './gateway.js';

/** A request may contain tags of many snapshots. Legitimate requests have at most this many. */
const SNAPSHOTS_MAX = 4;

export type StoredColumnsAt = (snapshot: number) => readonly string[] | null;

const NONE: StoredColumnsAt = () => null;

/**
 * Loads what `If-Match` and `If-None-Match` need: the table's stored columns in each snapshot of the tags,
 * except the live one.
 */
export async function loadStoredColumns(
  gateway: Gateway,
  database: TenantDatabase,
  request: ApiRequest,
  liveNumber: number,
): Promise<StoredColumnsAt> {
  if (request.kind !== 'update' && request.kind !== 'delete') return NONE;
  const tags = [request.ifMatch, request.ifNoneMatch].flatMap((list) =>
    list?.kind === 'tags' ? list.tags : [],
  );
  const numbers = [...new Set(tags.map((tag) => tag.snapshot))]
    .filter((number) => number !== liveNumber)
    .slice(0, SNAPSHOTS_MAX);
  if (numbers.length === 0) return NONE;
  const found = new Map(
    await Promise.all(
      numbers.map(
        async (number) =>
          [number, await readColumns(gateway, database.record.id, number, request.table.name)] as const,
      ),
    ),
  );
  return (snapshot) => found.get(snapshot) ?? null;
}

async function readColumns(
  gateway: Gateway,
  databaseId: string,
  number: number,
  tableName: string,
): Promise<readonly string[] | null> {
  const contentHash = await gateway.directory.readSnapshotHash(databaseId, number);
  if (contentHash === null) return null;
  const tables = await readTables(gateway, contentHash);
  return tables?.get(tableName) ?? null;
}

type StoredColumns = ReadonlyMap<string, readonly string[]>;

/**
 * The stored columns by table, for each snapshot's content hash, in order of use. Parsing a snapshot of
 * hundreds of tables takes long.
 */
const cache = new Map<string, Promise<StoredColumns | null>>();
const KEPT_MAX = 64;

function readTables(gateway: Gateway, contentHash: string): Promise<StoredColumns | null> {
  const known = cache.get(contentHash) ?? readStored(gateway, contentHash);
  cache.delete(contentHash);
  cache.set(contentHash, known);
  known.then(
    (tables) => tables ?? cache.delete(contentHash),
    () => cache.delete(contentHash),
  );
  const [oldest] = cache.keys();
  if (oldest !== undefined && cache.size > KEPT_MAX) cache.delete(oldest);
  return known;
}

async function readStored(gateway: Gateway, contentHash: string): Promise<StoredColumns | null> {
  const body = await gateway.directory.readSnapshotBody(contentHash);
  if (body === null) return null;
  const { snapshot } = await readSnapshot(body, contentHash);
  return new Map(
    snapshot.tables.map((table) => [
      table.name,
      table.columns.filter((column) => column.generated === null).map((column) => column.name),
    ]),
  );
}

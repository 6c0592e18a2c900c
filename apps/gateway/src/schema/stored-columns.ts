import type { GatewayDirectory } from '@rowhouse/platform-store';
import type { ApiRequest } from '@rowhouse/rest-engine';
import { readSnapshot } from '@rowhouse/snapshot-store';
import { LRUCache } from 'lru-cache';
import type { TenantDatabase } from '../tenant/tenant.js';

/** Reads snapshots from the platform database. */
type SnapshotSource = Pick<GatewayDirectory, 'readSnapshotHash' | 'readSnapshotBody'>;

/** The maximum number of snapshots that are read for the tags of one request. */
const SNAPSHOTS_MAX = 4;

export type StoredColumnsAt = (snapshot: number) => readonly string[] | null;

const NONE: StoredColumnsAt = () => null;

/**
 * Returns the columns that the request's table had in earlier snapshots, from which the tags of `If-Match`
 * and `If-None-Match` come. Most requests have no such tag, so their result is returned without a promise.
 */
export function loadStoredColumns(
  source: SnapshotSource,
  database: TenantDatabase,
  request: ApiRequest,
  liveNumber: number,
): StoredColumnsAt | Promise<StoredColumnsAt> {
  if (request.kind !== 'update' && request.kind !== 'delete') return NONE;
  const tags = [request.ifMatch, request.ifNoneMatch].flatMap((list) =>
    list?.kind === 'tags' ? list.tags : [],
  );
  const numbers = [...new Set(tags.map((tag) => tag.snapshot))]
    .filter((number) => number !== liveNumber)
    .slice(0, SNAPSHOTS_MAX);
  if (numbers.length === 0) return NONE;
  return readColumnsOf(source, database.record.id, request.table.name, numbers);
}

async function readColumnsOf(
  source: SnapshotSource,
  databaseId: string,
  tableName: string,
  numbers: readonly number[],
): Promise<StoredColumnsAt> {
  const found = new Map(
    await Promise.all(
      numbers.map(
        async (number) => [number, await readColumns(source, databaseId, number, tableName)] as const,
      ),
    ),
  );
  return (snapshot) => found.get(snapshot) ?? null;
}

async function readColumns(
  source: SnapshotSource,
  databaseId: string,
  number: number,
  tableName: string,
): Promise<readonly string[] | null> {
  const contentHash = await source.readSnapshotHash(databaseId, number);
  if (contentHash === null) return null;
  const tables = await readTables(source, contentHash);
  return tables?.get(tableName) ?? null;
}

type StoredColumns = ReadonlyMap<string, readonly string[]>;

/**
 * The stored columns of each table, by the content hash of the snapshot. Parsing a large snapshot takes long.
 */
const cache = new LRUCache<string, Promise<StoredColumns | null>>({ max: 64 });

function readTables(source: SnapshotSource, contentHash: string): Promise<StoredColumns | null> {
  const known = cache.get(contentHash);
  if (known !== undefined) return known;
  const reading = readStored(source, contentHash);
  cache.set(contentHash, reading);
  reading.then(
    (tables) => tables ?? cache.delete(contentHash),
    () => cache.delete(contentHash),
  );
  return reading;
}

async function readStored(source: SnapshotSource, contentHash: string): Promise<StoredColumns | null> {
  const body = await source.readSnapshotBody(contentHash);
  if (body === null) return null;
  const { snapshot } = await readSnapshot(body, contentHash);
  return new Map(
    snapshot.tables.map((table) => [
      table.name,
      table.columns.filter((column) => column.generated === null).map((column) => column.name),
    ]),
  );
}

import type { GatewayDirectory } from '@rowhouse/platform-store';
import type { Logger } from '@rowhouse/runtime';
import {
  createLiveSchemas,
  createPreparedSchemas,
  type LiveSchemas,
  type PreparedSchemas,
} from '@rowhouse/snapshot-store';
import type { ChangeTracker } from '../changes/change-tracker.js';
import type { SharedRecords } from '../tenant/shared-records.js';

export interface SchemaStoreParts {
  readonly directory: GatewayDirectory;
  readonly shared: SharedRecords;
  readonly changeTracker: ChangeTracker;
  readonly logger: Logger;
  readonly onExceptions: () => void;
  /** Reads and applies all entries that the change log contains at the time of the call. */
  readonly catchUp: () => Promise<void>;
}

const SCHEMA_BYTES_MAX = 256 * 1024 * 1024;
/**
 * The maximum size of compiled schemas in memory, enough for about 4,500 small databases. Schemas that are
 * not in use are dropped when this size is exceeded.
 */
const VIEW_BYTES_MAX = 96 * 1024 * 1024;
const VIEWS_PER_SCHEMA_MAX = 64;

/**
 * Creates the stores of live and of prepared schemas. Snapshots are read from Redis, or the platform
 * database.
 */
export function createSchemaStores({
  directory,
  shared,
  changeTracker,
  logger,
  onExceptions,
  catchUp,
}: SchemaStoreParts): { schemas: LiveSchemas; prepared: PreparedSchemas } {
  async function readBody(contentHash: string): Promise<Buffer | null> {
    const cached = await shared.readSnapshotBody(contentHash);
    if (cached !== null) return cached;
    const body = await directory.readSnapshotBody(contentHash);
    if (body !== null) shared.writeSnapshotBody(contentHash, body);
    return body;
  }
  const source = {
    readBody,
    onExceptions,
    onFault: (databaseId: string, error: unknown) =>
      logger.warn({ database_id: databaseId, err: error }, 'a snapshot could not be loaded'),
  };
  const schemas = createLiveSchemas({
    ...source,
    catchUp,
    bytesMax: SCHEMA_BYTES_MAX,
    viewBytesMax: VIEW_BYTES_MAX,
    viewsMax: VIEWS_PER_SCHEMA_MAX,
    readPointer: (databaseId) => directory.readPointer(databaseId),
    isFresh: (databaseId, asOfSeq) => changeTracker.isFresh(databaseId, asOfSeq),
  });
  const prepared = createPreparedSchemas({
    ...source,
    readPrepared: (databaseId) => directory.readPrepared(databaseId),
    isServed: (databaseId) => schemas.has(databaseId),
  });
  return { schemas, prepared };
}

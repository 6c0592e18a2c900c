import { AppError } from '@rowhouse/errors';
import type { WorkerDatabase } from '@rowhouse/platform-store';
import type { EngineKind, Snapshot } from '@rowhouse/schema-model';
import { decodeSnapshot } from '@rowhouse/snapshot-store';
import type { WorkerContext } from '../worker-context.js';

/** Returns the snapshot that the database's pointer names, or an empty one before the first publication. */
export async function readDeployed(
  ctx: Pick<WorkerContext, 'directory'>,
  database: WorkerDatabase,
  engine: EngineKind,
): Promise<Snapshot> {
  if (database.snapshotNumber === 0) return emptySnapshot(engine);
  const body = await ctx.directory.readSnapshotBody(database.snapshotHash);
  if (body === null) throw new Error(`the content ${database.snapshotHash} of ${database.id} is missing`);
  return decodeSnapshot(body, database.snapshotHash);
}

/**
 * Returns a snapshot of a database by its number. Number 0 is the empty snapshot that every database starts
 * from.
 */
export async function readSnapshot(
  ctx: Pick<WorkerContext, 'directory'>,
  databaseId: string,
  number: number,
  engine: EngineKind,
): Promise<Snapshot> {
  if (number === 0) return emptySnapshot(engine);
  const contentHash = await ctx.directory.readSnapshotHash(databaseId, number);
  const body = contentHash === null ? null : await ctx.directory.readSnapshotBody(contentHash);
  if (contentHash === null || body === null)
    throw new AppError('internal.defect', { internal: `snapshot ${number} of ${databaseId} is missing` });
  return decodeSnapshot(body, contentHash);
}

export function emptySnapshot(engine: EngineKind): Snapshot {
  return { format: 1, engine, tables: [] };
}

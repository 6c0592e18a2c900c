import { databaseRecordKey, PLANS, sideSchemaName } from '@rowhouse/contracts';
import type { AdminConnection } from '@rowhouse/mysql';
import type { MeasuredDatabase, WorkerServer } from '@rowhouse/platform-store';
import type { EngineKind } from '@rowhouse/schema-model';
import { setGrowth } from '../accounts/grants/set-growth.js';
import { endSessionsEverywhere } from '../accounts/sessions/end-sessions.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';

/** A server must have enough space for this number of further checks at its current growth. */
const LOOKS_AHEAD = 2;

interface StorageProbe {
  /**
   * Returns whether the server will be nearly full within the next checks.
   * Always false for a server without a known capacity.
   */
  isFillingUp(server: WorkerServer): Promise<boolean>;
}

/**
 * A full database may create rows again below this fraction of its quota. The gap between both limits
 * prevents frequent switching.
 */
const WRITABLE_AGAIN_RATIO = 0.95;
export const SIZES: Readonly<Record<EngineKind, string>> = {
  mariadb: 'INNODB_SYS_TABLESPACES',
  mysql: 'INNODB_TABLESPACES',
};

/**
 * Measures the disk space of each database of a server, including its side schema, with one statement of the
 * observer account.
 * A database is marked as full if it exceeds the quota of its plan, or an even share of a nearly full server.
 * Its connection users then lose INSERT, CREATE and their sessions, and gateways reject creates with status
 * 507. Returns whether the server should be measured again soon.
 */
export async function measureStorage(
  ctx: WorkerContext,
  server: WorkerServer,
): Promise<{ readonly isTight: boolean }> {
  const databases = await ctx.storage.list(server.id);
  if (databases.length === 0) return { isTight: false };
  const sizes = await withConnection(ctx.access.openObserver(server), (observer) =>
    readSizes(observer, server.engine),
  );
  const sizeOf = (database: MeasuredDatabase): number =>
    (sizes.get(database.schemaName) ?? 0) + (sizes.get(sideSchemaName(database.schemaName)) ?? 0);
  await ctx.storage.write(
    server.id,
    new Map(
      databases
        .filter((database) => sizeOf(database) !== database.bytes)
        .map((database) => [database.id, sizeOf(database)]),
    ),
  );
  const takenCount = databases.reduce((sum, database) => sum + sizeOf(database), 0);
  const share = evenShare(
    takenCount,
    databases.length,
    server.storageBytesMax,
    databases.some((database) => database.isFull),
  );
  for (const database of databases) {
    const isFull = judgeStorage(
      sizeOf(database),
      lower(PLANS[database.plan].storageBytesMax, share),
      database.isFull,
    );
    // If the state of one database cannot be changed, the other databases are still processed, and the next
    // measurement tries again.
    if (isFull !== database.isFull)
      await setFull(ctx, server, database, isFull).catch((error: unknown) =>
        ctx.logger.warn(
          { database: database.id, isFull, err: error },
          'a storage quota could not be applied',
        ),
      );
  }
  return { isTight: server.storageBytesMax !== null && takenCount > server.storageBytesMax * TIGHT };
}

function lower(item: number | null, other: number | null): number | null {
  return item === null || other === null ? (item ?? other) : Math.min(item, other);
}

/**
 * If a server is used above this fraction of its capacity, it is measured more often. Above `NEARLY_FULL`,
 * the quota of each database is an even share.
 */
export const TIGHT = 0.75;
const NEARLY_FULL = 0.9;
const SERVER_FILL_RATIO = 0.85;

/**
 * Returns the even share of each database on a nearly full server, or null if the server has space.
 * `wasNearlyFull` means that some database is already limited to this share.
 */
export function evenShare(
  takenBytes: number,
  databases: number,
  serverBytesMax: number | null,
  wasNearlyFull: boolean,
): number | null {
  if (
    serverBytesMax === null ||
    takenBytes <= serverBytesMax * (wasNearlyFull ? SERVER_FILL_RATIO : NEARLY_FULL)
  )
    return null;
  return Math.floor((serverBytesMax * SERVER_FILL_RATIO) / Math.max(1, databases));
}

/** Returns whether a database is full, given its previous state. */
export function judgeStorage(bytes: number, bytesMax: number | null, wasFull: boolean): boolean {
  if (bytesMax === null) return false;
  return bytes > (wasFull ? bytesMax * WRITABLE_AGAIN_RATIO : bytesMax);
}

async function readSizes(observer: AdminConnection, engine: EngineKind): Promise<Map<string, number>> {
  const rows = await observer.rows<{ name: string; bytes: string | number }>(
    `SELECT t.owner AS name, SUM(t.size) AS bytes FROM (SELECT SUBSTRING_INDEX(NAME, '/', 1) AS owner, FILE_SIZE AS size FROM information_schema.${SIZES[engine]} WHERE NAME LIKE '%/%') t GROUP BY t.owner`,
  );
  return new Map(rows.map((row) => [row.name, Number(row.bytes)]));
}

/**
 * Changes the account's rights before the row of the database. If a worker dies in between, the next
 * measurement updates the row.
 */
async function setFull(
  ctx: WorkerContext,
  server: WorkerServer,
  database: MeasuredDatabase,
  isFull: boolean,
): Promise<void> {
  const users = (await ctx.directory.listConnectionUsers(database.id)).filter(
    (user) => !user.isRevoked && user.role !== 'read-only',
  );
  if (users.length > 0) {
    await withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
      for (const user of users) {
        await setGrowth(provisioner, database.schemaName, user, !isFull);
        // Open sessions keep the rights that they had at login, so they are ended.
        if (isFull)
          await endSessionsEverywhere(ctx, provisioner, server, user.userName, { reach: 'members' });
      }
    });
  }
  const entry = await ctx.storage.setFull(database.id, isFull);
  await ctx.changes.announce(entry, [databaseRecordKey(ctx.cellId, database.id)]);
  ctx.logger.info({ database: database.id, isFull }, 'storage quota');
}

/**
 * Creates a probe that reads a single number from each server. It runs often, because a disk can fill up
 * between two measurements of all databases.
 */
export function createStorageProbe(ctx: Pick<WorkerContext, 'access'>): StorageProbe {
  const seen = new Map<string, number>();
  return {
    async isFillingUp(server) {
      if (server.storageBytesMax === null) return false;
      const [row] = await withConnection(ctx.access.openObserver(server), (observer) =>
        observer.rows<{ bytes: string | number | null }>(
          `SELECT SUM(FILE_SIZE) AS bytes FROM information_schema.${SIZES[server.engine]} WHERE NAME LIKE '%/%'`,
        ),
      );
      const bytes = Number(row?.bytes ?? 0);
      const grown = Math.max(0, bytes - (seen.get(server.id) ?? bytes));
      seen.set(server.id, bytes);
      return bytes + grown * LOOKS_AHEAD > server.storageBytesMax * TIGHT;
    },
  };
}

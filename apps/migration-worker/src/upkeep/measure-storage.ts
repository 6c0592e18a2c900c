import { databaseRecordKey, PLANS, sideSchemaName } from '@rowhouse/contracts';
import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import type { MeasuredDatabase, WorkerServer } from '@rowhouse/platform-store';
import type { EngineKind } from '@rowhouse/schema-model';
import { quoteAccount } from '../accounts/account-statements.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';

/** Below this part of its quota a database that was full may create again: not at the very edge, where it would go to and fro. */
const ROOM_AGAIN = 0.95;
const SIZES: Readonly<Record<EngineKind, string>> = { mariadb: 'INNODB_SYS_TABLESPACES', mysql: 'INNODB_TABLESPACES' };

/**
 * Measures what each database of a server takes on disk, its side schema included, by one statement of the observer. One
 * that goes over the quota of its plan is marked, and its connection users lose INSERT; the gateways refuse creates with 507.
 */
export async function measureStorage(ctx: WorkerContext, server: WorkerServer): Promise<void> {
  const databases = await ctx.storage.list(server.id);
  if (databases.length === 0) return;
  const sizes = await withConnection(ctx.access.openObserver(server), (observer) => readSizes(observer, server.engine));
  const sizeOf = (database: MeasuredDatabase): number => (sizes.get(database.schemaName) ?? 0) + (sizes.get(sideSchemaName(database.schemaName)) ?? 0);
  await ctx.storage.write(server.id, new Map(databases.filter((database) => sizeOf(database) !== database.bytes).map((database) => [database.id, sizeOf(database)])));
  for (const database of databases) {
    const isFull = judgeStorage(sizeOf(database), PLANS[database.plan].storageBytesMax, database.isFull);
    if (isFull !== database.isFull) await turn(ctx, server, database, isFull);
  }
}

/** Whether a database is full now, that was or was not before. */
export function judgeStorage(bytes: number, bytesMax: number | null, wasFull: boolean): boolean {
  if (bytesMax === null) return false;
  return bytes > (wasFull ? bytesMax * ROOM_AGAIN : bytesMax);
}

async function readSizes(observer: AdminConnection, engine: EngineKind): Promise<Map<string, number>> {
  const rows = await observer.rows<{ name: string; bytes: string | number }>(
    `SELECT t.owner AS name, SUM(t.size) AS bytes FROM (SELECT SUBSTRING_INDEX(NAME, '/', 1) AS owner, FILE_SIZE AS size FROM information_schema.${SIZES[engine]} WHERE NAME LIKE '%/%') t GROUP BY t.owner`,
  );
  return new Map(rows.map((row) => [row.name, Number(row.bytes)]));
}

/** Rights first: a worker that ends in between leaves a row that the next measurement finds unfinished. */
async function turn(ctx: WorkerContext, server: WorkerServer, database: MeasuredDatabase, isFull: boolean): Promise<void> {
  const users = (await ctx.directory.listConnectionUsers(database.id)).filter((user) => !user.isRevoked && user.role !== 'read-only');
  if (users.length > 0) {
    await withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
      for (const user of users) await setInsert(provisioner, database.schemaName, user.userName, !isFull);
    });
  }
  const entry = await ctx.storage.setFull(database.id, isFull);
  await ctx.changes.announce(entry, [databaseRecordKey(ctx.cellId, database.id)]);
  ctx.logger.info({ database: database.id, isFull }, 'storage quota');
}

/** Of a connection user that may write. Sessions that are open keep the right until they begin anew. */
export async function setInsert(provisioner: AdminConnection, schemaName: string, userName: string, isAllowed: boolean): Promise<void> {
  const on = `INSERT ON ${quoteName(schemaName)}.*`;
  await provisioner.run(isAllowed ? `GRANT ${on} TO ${quoteAccount(userName)}` : `REVOKE ${on} FROM ${quoteAccount(userName)}`);
}

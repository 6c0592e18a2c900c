import { Injectable } from '@nestjs/common';
import { columnValuesKey, databaseRecordKey, keyRecordKey, type ChangeEntry } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { IsNull, type EntityManager } from 'typeorm';
import { ApiKey } from '../../platform-db/entities/api-key.js';
import { ConnectionUser } from '../../platform-db/entities/connection-user.js';
import type { ServerRow } from '../../platform-db/entities/server-row.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { ChangeLog } from '../../platform/change-log.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { countCapacity, lockServer, lockDatabase } from './database-locks.js';

const REVOKE_DEADLINE_MS = 5_000;

/** Takes a database out of service, and restores it within the grace period. */
@Injectable()
export class DatabaseRemoval {
  constructor(
    private readonly db: PlatformDb,
    private readonly changes: ChangeLog,
    private readonly tasks: TaskRunner,
  ) {}

  /**
   * Suspends the database, revokes its keys and its share links with rows, and lets the worker lock its
   * connections. `now` is the deletion
   * time of the project, if the whole project is deleted. `record` writes the audit event in the same
   * transaction.
   */
  async remove(
    database: TenantDatabase,
    now = new Date(this.db.nowMs()),
    record: (manager: EntityManager) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const { staleKeys, entries, taskIds } = await this.db.cellTransaction(async (manager) => {
      const version = (await lockDatabase(manager, database.id)).version + 1;
      const keys = await manager
        .getRepository(ApiKey)
        .findBy({ databaseId: database.id, revokedAt: IsNull() });
      const connections = await manager
        .getRepository(ConnectionUser)
        .findBy({ databaseId: database.id, revokedAt: IsNull() });
      await manager
        .getRepository(TenantDatabase)
        .update({ id: database.id }, { deletedAt: now, locationState: 'suspended', version });
      await manager
        .getRepository(ApiKey)
        .update({ databaseId: database.id, revokedAt: IsNull() }, { revokedAt: now });
      await manager
        .getRepository(ConnectionUser)
        .update({ databaseId: database.id, revokedAt: IsNull() }, { revokedAt: now });
      await endShares(manager, database, now);
      const tasks: string[] = [];
      for (const { id, userName } of connections) {
        const payload = { connection_id: id, database_id: database.id, user_name: userName };
        tasks.push(
          await this.tasks.insert(manager, 'revoke_connection', payload, {
            databaseId: database.id,
            projectId: database.projectId,
          }),
        );
      }
      const logged: ChangeEntry[] = [
        await this.changes.append(manager, database.id, 'key', version),
        await this.changes.append(manager, database.id, 'suspend', version),
      ];
      await record(manager);
      return {
        staleKeys: keys.map((key) => keyRecordKey(this.db.cellId, key.keyHash.toString('hex'))),
        entries: logged,
        taskIds: tasks,
      };
    });
    for (const entry of entries)
      await this.changes.announce(entry, [
        ...staleKeys,
        databaseRecordKey(this.db.cellId, database.id),
        columnValuesKey(this.db.cellId, database.id),
      ]);
    await Promise.all(taskIds.map((id) => this.tasks.notify(id)));
    // Tasks that are not complete at the deadline stay queued for the worker.
    await Promise.all(taskIds.map((id) => this.tasks.wait(id, REVOKE_DEADLINE_MS).catch(() => undefined)));
  }

  /**
   * Restores all databases or none. Keys and connections stay revoked. Throws `platform.unavailable` when a
   * server lacks capacity, because deleted databases do not occupy capacity.
   */
  async restore(databases: readonly TenantDatabase[]): Promise<void> {
    const serverIds = [...new Set(databases.map((tenantDatabase) => tenantDatabase.serverId))].sort();
    const entries = await this.db.cellTransaction(async (manager) => {
      // Servers are locked before databases, in the same order as in migrations.
      const servers: ServerRow[] = [];
      for (const id of serverIds)
        servers.push((await lockServer(manager, this.db.cellId, id)) ?? throwNoCapacity());
      const deleted: TenantDatabase[] = [];
      for (const id of databases.map((tenantDatabase) => tenantDatabase.id).sort()) {
        const row = await lockDatabase(manager, id);
        if (row.deletedAt !== null) deleted.push(row);
      }
      for (const server of servers) {
        if (
          (await countCapacity(manager, server)) < deleted.filter((row) => row.serverId === server.id).length
        )
          throwNoCapacity();
      }
      const logged: ChangeEntry[] = [];
      for (const { id, version } of deleted) {
        await manager
          .getRepository(TenantDatabase)
          .update({ id }, { deletedAt: null, locationState: 'live', version: version + 1 });
        logged.push(await this.changes.append(manager, id, 'suspend', version + 1));
      }
      return logged;
    });
    for (const entry of entries)
      await this.changes.announce(entry, [databaseRecordKey(this.db.cellId, entry.database_id)]);
  }
}

/** Revokes the share links with rows of the database, and expires their files. */
async function endShares(
  manager: EntityManager,
  { id, cellId, projectId }: TenantDatabase,
  now: Date,
): Promise<void> {
  const ofDatabase = "project_id = ? AND cell_id = ? AND database_id = ? AND kind = 'share'";
  await manager.query(
    `UPDATE share_link SET revoked_at = ? WHERE project_id = ? AND revoked_at IS NULL AND file_id IN (SELECT id FROM transfer_file WHERE ${ofDatabase})`,
    [now, projectId, projectId, cellId, id],
  );
  await manager.query(
    `UPDATE transfer_file SET expires_at = ?, state = IF(state = 'writing', 'failed', state) WHERE ${ofDatabase}`,
    [now, projectId, cellId, id],
  );
}

function throwNoCapacity(): never {
  throw new AppError('platform.unavailable', {
    detail:
      'The server of this project no longer has capacity for its databases. Ask the operator to ' +
      'increase it.',
    retryAfterSeconds: 60,
  });
}

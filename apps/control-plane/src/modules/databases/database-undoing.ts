import { Injectable } from '@nestjs/common';
import { columnValuesKey, databaseRecordKey, keyRecordKey, type ChangeEntry } from '@rowhouse/contracts';
import { IsNull } from 'typeorm';
import { ApiKey } from '../../platform-db/entities/api-key.js';
import { ConnectionUser } from '../../platform-db/entities/connection-user.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { ChangeLog } from '../../platform/change-log.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { lockDatabase } from './lock-database.js';

const REVOKE_DEADLINE_MS = 5_000;

/** Takes a database out of service at once, and back into it within the grace period. */
@Injectable()
export class DatabaseUndoing {
  constructor(
    private readonly db: PlatformDb,
    private readonly changes: ChangeLog,
    private readonly tasks: TaskRunner,
  ) {}

  /** Suspends the database, revokes all its keys and has the worker lock its connection users. */
  async undo(database: TenantDatabase): Promise<void> {
    const { staleKeys, entries, taskIds } = await this.db.cellTransaction(async (manager) => {
      const now = new Date();
      const version = (await lockDatabase(manager, database.id)).version + 1;
      const keys = await manager.getRepository(ApiKey).findBy({ databaseId: database.id, revokedAt: IsNull() });
      const connections = await manager.getRepository(ConnectionUser).findBy({ databaseId: database.id, revokedAt: IsNull() });
      await manager.getRepository(TenantDatabase).update({ id: database.id }, { deletedAt: now, locationState: 'suspended', version });
      await manager.getRepository(ApiKey).update({ databaseId: database.id, revokedAt: IsNull() }, { revokedAt: now });
      await manager.getRepository(ConnectionUser).update({ databaseId: database.id, revokedAt: IsNull() }, { revokedAt: now });
      const tasks: string[] = [];
      for (const { id, userName } of connections) {
        const payload = { connection_id: id, database_id: database.id, user_name: userName };
        tasks.push(await this.tasks.insert(manager, 'revoke_connection', payload, { databaseId: database.id, projectId: database.projectId }));
      }
      const logged: ChangeEntry[] = [await this.changes.append(manager, database.id, 'key', version), await this.changes.append(manager, database.id, 'suspend', version)];
      return { staleKeys: keys.map((key) => keyRecordKey(this.db.cellId, key.keyHash.toString('hex'))), entries: logged, taskIds: tasks };
    });
    for (const entry of entries) await this.changes.announce(entry, [...staleKeys, databaseRecordKey(this.db.cellId, database.id), columnValuesKey(this.db.cellId, database.id)]);
    await Promise.all(taskIds.map((id) => this.tasks.wake(id)));
    // What is not done by then the worker still does: the tasks stay.
    await Promise.all(taskIds.map((id) => this.tasks.wait(id, REVOKE_DEADLINE_MS).catch(() => undefined)));
  }

  /** Keys and connections stay dead: their holders get new ones. */
  async restore(database: TenantDatabase): Promise<void> {
    const entry = await this.db.cellTransaction(async (manager) => {
      const version = (await lockDatabase(manager, database.id)).version + 1;
      await manager.getRepository(TenantDatabase).update({ id: database.id }, { deletedAt: null, locationState: 'live', version });
      return this.changes.append(manager, database.id, 'suspend', version);
    });
    await this.changes.announce(entry, [databaseRecordKey(this.db.cellId, database.id)]);
  }
}

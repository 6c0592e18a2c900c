import { Inject, Injectable } from '@nestjs/common';
import type { ChangeEntry, ChangeKind } from '@rowhouse/contracts';
import type { ChangePublisher } from '@rowhouse/queue';
import { IsNull, type EntityManager } from 'typeorm';
import { TenantDatabase } from '../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../platform-db/platform-db.js';
import { CHANGE_PUBLISHER } from './tokens.js';

/**
 * Writes the cell's change log. An entry is appended in the writer's transaction and announced after its
 * commit.
 */
@Injectable()
export class ChangeLog {
  constructor(
    private readonly db: PlatformDb,
    @Inject(CHANGE_PUBLISHER) private readonly publisher: ChangePublisher,
  ) {}

  /**
   * Takes the next sequence number under the lock of the head's row and writes the entry. `manager` must be
   * in a transaction of the cell.
   */
  async append(
    manager: EntityManager,
    databaseId: string,
    kind: ChangeKind,
    version: number,
  ): Promise<ChangeEntry> {
    await manager.query(
      'UPDATE change_log_head SET last_seq = LAST_INSERT_ID(last_seq + 1) WHERE cell_id = ?',
      [this.db.cellId],
    );
    const rows = await manager.query<{ seq: string | number }[]>('SELECT LAST_INSERT_ID() AS seq');
    const seq = Number(rows[0]?.seq);
    await manager.query(
      'INSERT INTO change_log (cell_id, seq, database_id, kind, version, created_at) VALUES (?, ?, ?, ?, ?, UTC_TIMESTAMP(3))',
      [this.db.cellId, seq, databaseId, kind, version],
    );
    return { seq, database_id: databaseId, kind, version };
  }

  /**
   * Deletes the shared copies that the entry makes stale, and then notifies the gateways. Never throws,
   * because gateways also read the log.
   */
  async announce(entry: ChangeEntry, staleKeys: readonly string[]): Promise<void> {
    await this.publisher.announce(entry, staleKeys);
  }

  /**
   * Runs `change` and appends its entry in one transaction, and then announces the entry. When this resolves,
   * every stale shared copy is deleted.
   */
  async record<T>(
    change: (manager: EntityManager) => Promise<T>,
    entry: {
      readonly databaseId: string;
      readonly kind: ChangeKind;
      readonly version: number;
      readonly staleKeys: readonly string[];
    },
  ): Promise<T> {
    const { value, logged } = await this.db.cellTransaction(async (manager) => {
      const done = await change(manager);
      return { value: done, logged: await this.append(manager, entry.databaseId, entry.kind, entry.version) };
    });
    await this.announce(logged, entry.staleKeys);
    return value;
  }

  /** Runs a change like `record`, with one entry for each database of a project. */
  async recordOfProject(
    projectId: string,
    kind: ChangeKind,
    change: (manager: EntityManager) => Promise<unknown>,
    toStaleKeys: (databaseId: string) => readonly string[] = () => [],
  ): Promise<void> {
    const entries = await this.db.cellTransaction(async (manager) => {
      await change(manager);
      const databases = await manager
        .getRepository(TenantDatabase)
        .find({ where: { projectId, deletedAt: IsNull() }, select: { id: true, version: true } });
      const logged: ChangeEntry[] = [];
      for (const { id, version } of databases) logged.push(await this.append(manager, id, kind, version));
      return logged;
    });
    for (const entry of entries) await this.announce(entry, toStaleKeys(entry.database_id));
  }
}

/** The number of entries that one statement inserts. */
const ENTRIES_AT_ONCE = 500;

/**
 * Appends an `account` entry for each database of a server, so that gateways read its address again. Must be
 * the last call in a transaction of the cell, because it locks the head's row. The entries are not announced.
 * Gateways read them with their next poll of the log. They then ignore older shared copies.
 */
export async function appendChangesOfServer(
  manager: EntityManager,
  cellId: string,
  serverId: string,
): Promise<void> {
  const databases = await manager.getRepository(TenantDatabase).find({
    where: { cellId, serverId, deletedAt: IsNull() },
    select: { id: true, version: true },
  });
  if (databases.length === 0) return;
  await manager.query(
    'UPDATE change_log_head SET last_seq = LAST_INSERT_ID(last_seq + ?) WHERE cell_id = ?',
    [databases.length, cellId],
  );
  const [head] = await manager.query<{ seq: string | number }[]>('SELECT LAST_INSERT_ID() AS seq');
  const firstSeq = Number(head?.seq) - databases.length + 1;
  for (let index = 0; index < databases.length; index += ENTRIES_AT_ONCE) {
    const some = databases.slice(index, index + ENTRIES_AT_ONCE);
    await manager.query(
      `INSERT INTO change_log (cell_id, seq, database_id, kind, version, created_at) VALUES ${some
        .map(() => "(?, ?, ?, 'account', ?, UTC_TIMESTAMP(3))")
        .join(', ')}`,
      some.flatMap(({ id, version }, offset) => [cellId, firstSeq + index + offset, id, version]),
    );
  }
}

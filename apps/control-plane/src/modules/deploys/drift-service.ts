import { Injectable } from '@nestjs/common';
import type { DriftAnswer } from '@rowhouse/contracts';
import { MigrationRow } from '../../platform-db/entities/migration-row.js';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { DatabaseService } from '../databases/database-service.js';
import { compareSchemas } from '../schema/compare-schemas.js';
import { DirectChanges } from '../schema/direct-changes.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';
import { WorkingSchemaStore } from '../schema/working-schema-store.js';

/** Compares what the databases of a project run: with the last deploy of each, and with each other. */
@Injectable()
export class DriftService {
  constructor(
    private readonly db: PlatformDb,
    private readonly databases: DatabaseService,
    private readonly snapshots: SnapshotReader,
    private readonly schemas: WorkingSchemaStore,
    private readonly directs: DirectChanges,
  ) {}

  /** Development first; the others are compared with it. */
  async find(projectId: string): Promise<DriftAnswer> {
    const rows = await this.databases.listOf(projectId);
    const ordered = [...rows].sort((a, b) => Number(b.environment === 'development') - Number(a.environment === 'development') || (a.environment < b.environment ? -1 : 1));
    const first = ordered[0] === undefined ? null : await this.snapshots.deployed(ordered[0]);
    const databases: DriftAnswer['databases'] = [];
    for (const row of ordered) {
      const deployed = await this.snapshots.deployed(row);
      databases.push({
        database: row.id, environment: row.environment, snapshot: row.snapshotNumber,
        revision: await this.#deployedRevision(row), direct: (await this.directs.find(row)).objects, differs: compareSchemas(first, deployed),
      });
    }
    return { revision: (await this.schemas.newest(projectId)).revision, databases };
  }

  async #deployedRevision(database: TenantDatabase): Promise<number> {
    const last = await this.db.cell
      .getRepository(MigrationRow)
      .createQueryBuilder('m')
      .where("m.databaseId = :id AND m.state = 'published' AND m.origin <> 'direct'", { id: database.id })
      .orderBy('m.publishedNumber', 'DESC')
      .getOne();
    return last?.revision ?? 0;
  }
}

import { Injectable } from '@nestjs/common';
import type { DriftAnswer } from '@rowhouse/contracts';
import { DatabaseService } from '../databases/database-service.js';
import { compareSchemas } from '../schema/compare-schemas.js';
import { DirectChanges } from '../schema/direct-changes.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';
import { WorkingSchemaStore } from '../schema/working-schema-store.js';
import { DeployedRevisions } from './deployed-revisions.js';

/** Compares what the databases of a project run: with the last deploy of each, and with each other. */
@Injectable()
export class DriftService {
  constructor(
    private readonly databases: DatabaseService,
    private readonly snapshots: SnapshotReader,
    private readonly schemas: WorkingSchemaStore,
    private readonly directs: DirectChanges,
    private readonly deployed: DeployedRevisions,
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
        revision: (await this.deployed.find(row.id)) ?? 0, direct: (await this.directs.find(row)).objects, differs: compareSchemas(first, deployed),
      });
    }
    return { revision: (await this.schemas.newest(projectId)).revision, databases };
  }
}

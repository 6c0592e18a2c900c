import { Injectable } from '@nestjs/common';
import type { DriftResponse } from '@rowhouse/contracts';
import { DatabaseService } from '../databases/database-service.js';
import { compareSchemas, describeObjects } from '../schema/compare-schemas.js';
import { DirectChanges, type DirectDifference } from '../schema/direct-changes.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';
import { WorkingSchemaStore } from '../schema/working-schema-store.js';
import { DeployedRevisions } from './deployed-revisions.js';

/** Compares the schemas of a project's databases with their last deploys and with each other. */
@Injectable()
export class DriftService {
  constructor(
    private readonly databases: DatabaseService,
    private readonly snapshots: SnapshotReader,
    private readonly schemas: WorkingSchemaStore,
    private readonly directs: DirectChanges,
    private readonly deployed: DeployedRevisions,
  ) {}

  /** Development comes first, and the other databases are compared with it. */
  async find(projectId: string): Promise<DriftResponse> {
    const rows = await this.databases.listOf(projectId);
    const ordered = [...rows].sort(
      (a, b) =>
        Number(b.environment === 'development') - Number(a.environment === 'development') ||
        (a.environment < b.environment ? -1 : 1),
    );
    const first = ordered[0] === undefined ? null : await this.snapshots.deployed(ordered[0]);
    const databases: DriftResponse['databases'] = [];
    for (const row of ordered) {
      const deployed = await this.snapshots.deployed(row);
      const revision = (await this.deployed.find(row.id)) ?? 0;
      databases.push({
        database: row.id,
        environment: row.environment,
        snapshot: row.snapshotNumber,
        revision,
        direct: await this.#listUntaken(projectId, revision, await this.directs.find(row)),
        differs: await compareSchemas(first, deployed),
      });
    }
    return { revision: (await this.schemas.newest(projectId)).revision, databases };
  }

  /**
   * Omits objects that the draft adopted unchanged since the last deploy. Only the newest revisions are read,
   * so objects that were adopted earlier are listed again.
   */
  async #listUntaken(
    projectId: string,
    revision: number,
    { existing, objects }: DirectDifference,
  ): Promise<string[]> {
    if (objects.length === 0) return [];
    const now = await describeObjects(existing);
    let left = objects;
    for await (const snapshot of this.schemas.readNewer(projectId, revision)) {
      const draft = await describeObjects(snapshot);
      left = left.filter((name) => draft.get(name) !== now.get(name));
      if (left.length === 0) break;
    }
    return left;
  }
}

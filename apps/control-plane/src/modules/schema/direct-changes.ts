import { Injectable } from '@nestjs/common';
import type { Snapshot } from '@rowhouse/schema-model';
import { readSnapshot } from '@rowhouse/snapshot-store';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { compareSchemas } from './compare-schemas.js';
import { SnapshotReader } from './snapshot-reader.js';

export interface DirectDifference {
  /** The schema that the last deploy published. Null before the first deploy. */
  readonly deployed: Snapshot | null;
  /** The current schema. */
  readonly existing: Snapshot | null;
  /** The names of differing objects. */
  readonly objects: string[];
}

/** Finds the DDL changes of direct connections since the last deploy of a database. */
@Injectable()
export class DirectChanges {
  constructor(
    private readonly db: PlatformDb,
    private readonly snapshots: SnapshotReader,
  ) {}

  async find(database: TenantDatabase): Promise<DirectDifference> {
    const existing = await this.snapshots.deployed(database);
    const [row] = await this.db.cell.query<{ content_hash: string; body: Buffer }[]>(
      `SELECT s.content_hash, c.body FROM snapshot s JOIN snapshot_content c ON c.content_hash = s.content_hash
       WHERE s.database_id = ? AND s.origin <> 'direct' AND s.state = 'published' ORDER BY s.number DESC LIMIT 1`,
      [database.id],
    );
    if (row === undefined || row.content_hash === database.snapshotHash)
      return { deployed: existing, existing, objects: [] };
    const { snapshot: deployed } = await readSnapshot(row.body, row.content_hash);
    return {
      deployed,
      existing,
      objects: (await compareSchemas(deployed, existing)).map((entry) => entry.object),
    };
  }
}

import { Injectable } from '@nestjs/common';
import type { Snapshot } from '@rowhouse/schema-model';
import { decodeSnapshot } from '@rowhouse/snapshot-store';
import { PlatformDb } from '../../platform-db/platform-db.js';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';

/** Reads deployed schemas from the platform database. */
@Injectable()
export class SnapshotReader {
  constructor(private readonly db: PlatformDb) {}

  /** The deployed schema of a database; null while nothing has been published. */
  async deployed(database: Pick<TenantDatabase, 'snapshotHash'>): Promise<Snapshot | null> {
    if (database.snapshotHash === '') return null;
    const [row] = await this.db.cell.query<{ body: Buffer }[]>('SELECT body FROM snapshot_content WHERE content_hash = ?', [database.snapshotHash]);
    return row === undefined ? null : decodeSnapshot(row.body, database.snapshotHash);
  }
}

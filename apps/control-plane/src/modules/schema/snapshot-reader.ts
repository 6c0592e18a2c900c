import { Injectable } from '@nestjs/common';
import type { DeployedSchemaResponse, ListResponse } from '@rowhouse/contracts';
import type { Snapshot } from '@rowhouse/schema-model';
import { AppError } from '@rowhouse/errors';
import { readSnapshot } from '@rowhouse/snapshot-store';
import { FILE_FRAME } from '@rowhouse/sql-files';
import { LessThan } from 'typeorm';
import { SnapshotRow } from '../../platform-db/entities/snapshot-row.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { renderSchema, describeTables } from './render-schema.js';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';

export interface SnapshotItem {
  number: number;
  origin: string;
  hash: string;
  migration: string | null;
  is_current: boolean;
  created_at: string;
}

/** Reads deployed schemas from the platform database. */
@Injectable()
export class SnapshotReader {
  constructor(private readonly db: PlatformDb) {}

  /** Returns the deployed schema of a database, or null before the first deploy. */
  async deployed(database: Pick<TenantDatabase, 'snapshotHash'>): Promise<Snapshot | null> {
    if (database.snapshotHash === '') return null;
    const [row] = await this.db.cell.query<{ body: Buffer }[]>(
      'SELECT body FROM snapshot_content WHERE content_hash = ?',
      [database.snapshotHash],
    );
    return row === undefined ? null : (await readSnapshot(row.body, database.snapshotHash)).snapshot;
  }

  /**
   * Returns an earlier schema of a database by its number. Throws `resource.not_found` if it was never
   * published.
   */
  async numbered(database: Pick<TenantDatabase, 'id'>, number: number): Promise<Snapshot> {
    const row = await this.db.cell
      .getRepository(SnapshotRow)
      .findOneBy({ databaseId: database.id, number, state: 'published' });
    const found = row === null ? null : await this.deployed({ snapshotHash: row.contentHash });
    if (found === null)
      throw new AppError('resource.not_found', {
        detail: `The database has no snapshot ${number}.`,
        hint: 'GET /api/databases/{id}/snapshots lists them.',
      });
    return found;
  }

  /** Returns the deployed schema for API clients. */
  async describe(
    database: Pick<TenantDatabase, 'snapshotHash' | 'snapshotNumber'>,
    projectName: string,
  ): Promise<DeployedSchemaResponse> {
    const snapshot = await this.deployed(database);
    const sql = await renderSchema(snapshot);
    return {
      snapshot_number: database.snapshotNumber,
      sql,
      file_frame: FILE_FRAME,
      tables: await describeTables(snapshot, database.snapshotNumber, projectName),
    };
  }

  /** Lists the numbered schemas of a database, newest first. The cursor is the number of the last entry. */
  async list(
    database: Pick<TenantDatabase, 'id' | 'snapshotNumber'>,
    page: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<ListResponse<SnapshotItem>> {
    const before =
      page.cursor === undefined
        ? {}
        : { number: LessThan(/^\d{1,15}$/.test(page.cursor) ? Number(page.cursor) : 0) };
    const rows = await this.db.cell.getRepository(SnapshotRow).find({
      where: { databaseId: database.id, state: 'published', ...before },
      order: { number: 'DESC' },
      take: page.limit,
    });
    const items = rows.map((row) => ({
      number: row.number,
      origin: row.origin,
      hash: row.contentHash,
      migration: row.migrationId,
      is_current: row.number === database.snapshotNumber,
      created_at: row.createdAt.toISOString(),
    }));
    return { items, next_cursor: rows.length < page.limit ? null : String(rows.at(-1)?.number) };
  }
}

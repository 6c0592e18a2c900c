import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { forEachSettled } from '../../platform/for-each-settled.js';
import { ExportService } from './export-service.js';

/** The name that is stored as the creator of automatic backups, in place of an account. */
const SCHEDULE_CREATOR = 'schedule';
/** The time until a retry after a failed backup. */
const RETRY_HOURS = 1;
const STARTS_MAX = 20;

/** Starts automatic backups according to the setting `backup_every_hours`. */
@Injectable()
export class BackupSchedule {
  constructor(
    private readonly db: PlatformDb,
    private readonly exports: ExportService,
  ) {}

  /**
   * Starts due backups and returns their databases. Manual exports do not count as backups, because they may
   * contain only some tables. Two control planes may start one backup each, which is harmless.
   */
  async run(): Promise<string[]> {
    // If one database has too many files, the backups of the others still start.
    const started = await forEachSettled(
      await this.#listDue(),
      (database) =>
        this.exports.begin(SCHEDULE_CREATOR, database, {
          kind: 'export',
          tables: undefined,
          leavesHiddenOut: false,
        }),
      (failed, total) => `${failed} of ${total} scheduled backups could not be started`,
    );
    return started.map(({ id }) => id);
  }

  /**
   * Lists databases that are due for a backup, in random order. With a fixed order, databases that cannot
   * have another backup would always come first.
   */
  async #listDue(): Promise<TenantDatabase[]> {
    const hours = "CAST(JSON_UNQUOTE(JSON_EXTRACT(d.settings, '$.backup_every_hours')) AS UNSIGNED)";
    const rows = await this.db.cell.query<{ id: string }[]>(
      `SELECT d.id FROM tenant_database d
       WHERE d.cell_id = ? AND d.deleted_at IS NULL AND d.provision_state = 'ready' AND JSON_TYPE(JSON_EXTRACT(d.settings, '$.backup_every_hours')) = 'INTEGER'
         AND NOT EXISTS (
           SELECT 1 FROM transfer_file f WHERE f.project_id = d.project_id AND f.database_id = d.id AND f.kind = 'export' AND f.created_by = ?
             AND f.created_at > UTC_TIMESTAMP(3) - INTERVAL IF(f.state = 'failed', ${RETRY_HOURS}, ${hours}) HOUR)
       ORDER BY RAND() LIMIT ${STARTS_MAX}`,
      [this.db.cellId, SCHEDULE_CREATOR],
    );
    return rows.length === 0
      ? []
      : this.db.cell.getRepository(TenantDatabase).findBy({ id: In(rows.map(({ id }) => id)) });
  }
}

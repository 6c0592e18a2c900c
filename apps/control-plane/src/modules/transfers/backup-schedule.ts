import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { forEachApart } from '../../platform/for-each-apart.js';
import { ExportService } from './export-service.js';

/** In the place of an account: nobody asked for this copy at the time. */
const MAKER = 'schedule';
/** After a copy that failed, the next try. */
const RETRY_HOURS = 1;
const BEGUN_AT_ONCE = 20;

/** Copies that databases have made by themselves, as their setting `backup_every_hours` says. */
@Injectable()
export class BackupSchedule {
  constructor(
    private readonly db: PlatformDb,
    private readonly exports: ExportService,
  ) {}

  /**
   * Begins the copies that are due; answers their databases. Copies that people made do not count: these may hold some tables
   * only. Two control planes may begin one each, which is a copy too many and no harm.
   */
  async run(): Promise<string[]> {
    // One that cannot have a copy, having too many already, keeps no other from its own.
    const begun = await forEachApart(
      await this.#listDue(), (database) => this.exports.begin(MAKER, database, { kind: 'export', tables: undefined, leavesHiddenOut: false }),
      (failed, total) => `${failed} of ${total} scheduled copies did not begin`,
    );
    return begun.map(({ id }) => id);
  }

  /** In any order: those that can have no copy, and are due again each time, would else stand before the others for ever. */
  async #listDue(): Promise<TenantDatabase[]> {
    const hours = "CAST(JSON_UNQUOTE(JSON_EXTRACT(d.settings, '$.backup_every_hours')) AS UNSIGNED)";
    const rows = await this.db.cell.query<{ id: string }[]>(
      `SELECT d.id FROM tenant_database d
       WHERE d.cell_id = ? AND d.deleted_at IS NULL AND d.provision_state = 'ready' AND JSON_TYPE(JSON_EXTRACT(d.settings, '$.backup_every_hours')) = 'INTEGER'
         AND NOT EXISTS (
           SELECT 1 FROM transfer_file f WHERE f.project_id = d.project_id AND f.database_id = d.id AND f.kind = 'export' AND f.created_by = ?
             AND f.created_at > UTC_TIMESTAMP(3) - INTERVAL IF(f.state = 'failed', ${RETRY_HOURS}, ${hours}) HOUR)
       ORDER BY RAND() LIMIT ${BEGUN_AT_ONCE}`,
      [this.db.cellId, MAKER],
    );
    return rows.length === 0 ? [] : this.db.cell.getRepository(TenantDatabase).findBy({ id: In(rows.map(({ id }) => id)) });
  }
}

import { Injectable } from '@nestjs/common';
import { findUnknownNames, rejectUnknownNames } from '../../http/reject-unknown-names.js';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';

/** The setting `require_if_match`: tables whose records can only be changed with `If-Match`. */
@Injectable()
export class GuardedTables {
  constructor(private readonly snapshots: SnapshotReader) {}

  /** Throws 422 with similar names, because a typo would leave a table unprotected. */
  async assertKnown(database: TenantDatabase, names: readonly string[]): Promise<void> {
    const tables =
      (await this.snapshots.deployed(database))?.tables.filter((table) => table.kind === 'table') ?? [];
    const known = tables.map((table) => table.name);
    rejectUnknownNames(
      findUnknownNames(names, known, (name, index) => ({
        loc: ['body', 'settings', 'require_if_match', index],
        msg: `There is no table ${name}.`,
        type: 'unknown_table',
      })),
    );
  }
}

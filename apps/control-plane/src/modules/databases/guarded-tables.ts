import { Injectable } from '@nestjs/common';
import { createNearestFinder, validationError } from '@rowhouse/errors';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';

/** The setting `require_if_match`: tables whose records are changed under `If-Match` only. */
@Injectable()
export class GuardedTables {
  constructor(private readonly snapshots: SnapshotReader) {}

  /** Throws 422 with the nearest names: a typo would leave a table open that its owner believes guarded. */
  async assertKnown(database: TenantDatabase, names: readonly string[]): Promise<void> {
    const tables = new Set((await this.snapshots.deployed(database))?.tables.filter((table) => table.kind === 'table').map((table) => table.name));
    const unknown = names.map((name, at) => ({ name, at })).filter(({ name }) => !tables.has(name));
    if (unknown.length === 0) return;
    const findNearest = createNearestFinder([...tables]);
    const near = new Set(unknown.flatMap(({ name }) => findNearest(name)));
    const faults = unknown.map(({ name, at }) => ({ loc: ['body', 'settings', 'require_if_match', at], msg: `There is no table ${name}.`, type: 'unknown_table' }));
    throw validationError('body.invalid', faults, near.size > 0 ? `Did you mean ${[...near].join(', ')}?` : undefined);
  }
}

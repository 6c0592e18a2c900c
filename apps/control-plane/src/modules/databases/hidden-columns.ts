import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { createNearestFinder, validationError, type FieldFault } from '@rowhouse/errors';
import { DatabaseAccount } from '../../platform-db/entities/database-account.js';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';

type HiddenColumns = Readonly<Record<string, readonly string[]>>;

/** What hiding columns needs besides the setting: names that exist, and query accounts that cannot read them. */
@Injectable()
export class HiddenColumnsKeeper {
  constructor(
    private readonly db: PlatformDb,
    private readonly snapshots: SnapshotReader,
    private readonly tasks: TaskRunner,
  ) {}

  /** Throws 422 with the nearest names: a typo would leave a column open that its owner believes hidden, or out of the value index. */
  async assertKnown(database: TenantDatabase, setting: 'hidden_columns' | 'unindexed_columns', hidden: HiddenColumns): Promise<void> {
    const tables = new Map((await this.snapshots.deployed(database))?.tables.map((table) => [table.name, table.columns.map((column) => column.name)]));
    const nearestTables = createNearestFinder([...tables.keys()]);
    const near = new Set<string>();
    const faults: FieldFault[] = [];
    for (const [tableName, columns] of Object.entries(hidden)) {
      const known = tables.get(tableName);
      const unknown = known === undefined ? [tableName] : columns.filter((name) => !known.includes(name));
      const findNearest = known === undefined ? nearestTables : createNearestFinder(known);
      for (const name of unknown) {
        const what = known === undefined ? 'table' : 'column';
        faults.push({ loc: ['body', 'settings', setting, tableName], msg: `There is no ${what} ${name}.`, type: `unknown_${what}` });
        findNearest(name).forEach((one) => near.add(one));
      }
    }
    if (faults.length > 0) throw validationError('body.invalid', faults, near.size > 0 ? `Did you mean ${[...near].join(', ')}?` : undefined);
  }

  /** Has the worker grant every query account of the database anew, by the settings that stand in its row. */
  async regrant(database: TenantDatabase): Promise<void> {
    const accounts = await this.db.cell.getRepository(DatabaseAccount).findBy({ databaseId: database.id, kind: In(['query', 'query_write']) });
    await Promise.all(
      accounts.map(({ kind, rightsHash, rights }) =>
        this.tasks.run(
          'grant_rights',
          { database_id: database.id, rights_hash: rightsHash, tables: rightsHash === '' ? null : rights, ...(kind === 'query_write' ? { kind } : {}) },
          { databaseId: database.id, projectId: database.projectId },
        ),
      ),
    );
  }
}

import { Injectable } from '@nestjs/common';
import type { TaskPayload } from '@rowhouse/contracts';
import { validationError } from '@rowhouse/errors';
import { isTinyBoolean, ownMember } from '@rowhouse/schema-model';
import { In } from 'typeorm';
import { findUnknownNames, rejectUnknownNames } from '../../http/reject-unknown-names.js';
import { DatabaseAccount } from '../../platform-db/entities/database-account.js';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';

type HiddenColumns = Readonly<Record<string, readonly string[]>>;

/** Validates the setting and updates the rights of query accounts. */
@Injectable()
export class HiddenColumnsKeeper {
  constructor(
    private readonly db: PlatformDb,
    private readonly snapshots: SnapshotReader,
    private readonly tasks: TaskRunner,
  ) {}

  /**
   * Throws 422 with similar names if a column is unknown. A typo would otherwise leave a column visible or
   * indexed.
   */
  async assertKnown(
    database: TenantDatabase,
    setting: 'hidden_columns' | 'unindexed_columns' | 'number_columns',
    hidden: HiddenColumns,
  ): Promise<void> {
    const tables = new Map(
      (await this.snapshots.deployed(database))?.tables.map((table) => [
        table.name,
        table.columns.map((column) => column.name),
      ]),
    );
    const tableNames = [...tables.keys()];
    rejectUnknownNames(
      Object.entries(hidden).flatMap(([tableName, names]) => {
        const loc = ['body', 'settings', setting, tableName];
        const columns = tables.get(tableName);
        if (columns === undefined)
          return findUnknownNames([tableName], tableNames, (name) => ({
            loc,
            msg: `The table ${name} does not exist.`,
            type: 'unknown_table',
          }));
        return findUnknownNames(names, columns, (name) => ({
          loc,
          msg: `The column ${name} does not exist.`,
          type: 'unknown_column',
        }));
      }),
    );
  }

  /**
   * Throws 422 for unknown columns, and for columns that are not TINYINT(1), because those have only one form
   * in the API.
   */
  async assertNumbers(database: TenantDatabase, numbers: HiddenColumns): Promise<void> {
    await this.assertKnown(database, 'number_columns', numbers);
    const tables = (await this.snapshots.deployed(database))?.tables ?? [];
    const details = tables.flatMap((table) => {
      const names = ownMember(numbers, table.name) ?? [];
      const others = table.columns.filter((column) => names.includes(column.name) && !isTinyBoolean(column));
      return others.map(({ name, sqlType }) => ({
        loc: ['body', 'settings', 'number_columns', table.name],
        msg: `${name} is ${sqlType.toUpperCase()}. Only TINYINT(1) columns can be returned as numbers instead of booleans.`,
        type: 'value_error',
      }));
    });
    if (details.length > 0) throw validationError('body.invalid', details);
  }

  /**
   * Grants query accounts the columns that `next` shows and the current settings hide. This happens first,
   * because gateways query such columns as soon as they receive the new settings.
   */
  async grantAhead(database: TenantDatabase, next: HiddenColumns): Promise<void> {
    const ahead = intersect(database.settings.hidden_columns, next);
    if (countNames(ahead) === countNames(database.settings.hidden_columns)) return;
    await this.#grantAll(database, { ahead });
  }

  /**
   * Requests a task in which the worker updates every query account to the stored settings, after gateways
   * have applied entry `seq`.
   */
  async regrant(database: TenantDatabase, seq: number): Promise<void> {
    await this.#grantAll(database, { after_seq: seq });
  }

  async #grantAll(
    database: TenantDatabase,
    more: Pick<TaskPayload<'grant_rights'>, 'ahead' | 'after_seq'>,
  ): Promise<void> {
    const accounts = await this.db.cell
      .getRepository(DatabaseAccount)
      .findBy({ databaseId: database.id, kind: In(['query', 'query_write']) });
    await Promise.all(
      accounts.map(({ kind, rightsHash, rights }) =>
        this.tasks.run(
          'grant_rights',
          {
            database_id: database.id,
            rights_hash: rightsHash,
            tables: rightsHash === '' ? null : rights,
            ...(kind === 'query_write' ? { kind } : {}),
            ...more,
          },
          { databaseId: database.id, projectId: database.projectId },
        ),
      ),
    );
  }
}

/** Returns the columns that both settings hide. */
function intersect(item: HiddenColumns, other: HiddenColumns): HiddenColumns {
  return Object.fromEntries(
    Object.entries(item).map(([table, names]) => [
      table,
      names.filter((name) => Object.hasOwn(other, table) && other[table]?.includes(name) === true),
    ]),
  );
}

function countNames(hidden: HiddenColumns): number {
  return Object.values(hidden).reduce((sum, names) => sum + names.length, 0);
}

import { Injectable } from '@nestjs/common';
import {
  databaseRecordKey,
  type DatabaseResponse,
  type DatabaseSettings,
  type UpdateDatabaseRequest,
} from '@rowhouse/contracts';
import { validationError } from '@rowhouse/errors';
import { randomBase32 } from '@rowhouse/runtime';
import type { EntityManager } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { findUnknownNames, rejectUnknownNames } from '../../http/reject-unknown-names.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { updateRows } from '../../platform-db/typed-rows.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { ChangeLog } from '../../platform/change-log.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { SnapshotReader } from '../schema/snapshot-reader.js';
import { DatabaseService, DOCS_SLUG_LENGTH } from './database-service.js';
import { HiddenColumnsKeeper } from './column-settings.js';
import { lockDatabase } from './database-locks.js';
import { ValueIndexService } from './value-index-service.js';

type Settings = UpdateDatabaseRequest['settings'];

/** Validates and stores database settings, and publishes them to gateways. */
@Injectable()
export class DatabaseSettingsService {
  constructor(
    private readonly db: PlatformDb,
    private readonly databases: DatabaseService,
    private readonly snapshots: SnapshotReader,
    private readonly tasks: TaskRunner,
    private readonly changes: ChangeLog,
    private readonly hiddenColumns: HiddenColumnsKeeper,
    private readonly values: ValueIndexService,
    private readonly audit: AuditWriter,
  ) {}

  /** Merges the given settings. Settings that are absent keep their values. */
  async update(
    context: RequestContext,
    provided: UpdateDatabaseRequest['settings'],
  ): Promise<DatabaseResponse> {
    const patch = withoutRepeats(provided);
    if (patch.time_zone !== undefined && !isTimeZone(patch.time_zone)) {
      throw validationError('body.invalid', [
        {
          loc: ['body', 'settings', 'time_zone'],
          msg: 'The value must be an IANA time zone or an offset.',
          type: 'value_error',
        },
      ]);
    }
    const { id } = context.database;
    if (patch.hidden_columns !== undefined)
      await this.hiddenColumns.assertKnown(context.database, 'hidden_columns', patch.hidden_columns);
    if (patch.unindexed_columns !== undefined)
      await this.hiddenColumns.assertKnown(context.database, 'unindexed_columns', patch.unindexed_columns);
    if (patch.number_columns !== undefined)
      await this.hiddenColumns.assertNumbers(context.database, patch.number_columns);
    if (patch.require_if_match !== undefined)
      await this.#assertTablesExist(context.database, patch.require_if_match);
    if (patch.hidden_columns !== undefined)
      await this.tasks.assertCapacityForGrants(context.database.projectId);
    if (patch.hidden_columns !== undefined)
      await this.hiddenColumns.grantAhead(context.database, patch.hidden_columns);
    const seq = await this.#change(
      id,
      (row) => ({
        settings: { ...row.settings, ...patch } as DatabaseSettings,
        // Former members may know the address of the documentation, so it is not used again.
        ...(patch.docs_enabled === false ? { docsSlug: randomBase32(DOCS_SLUG_LENGTH) } : {}),
      }),
      (manager) =>
        this.audit.record(manager, context, {
          action: 'database.settings',
          target: id,
          detail: { settings: patch },
        }),
    );
    // Gateways hide the columns as soon as they receive the settings. Before the response is sent, all
    // gateways hide the columns, and no query account can read them.
    if (patch.hidden_columns !== undefined) await this.hiddenColumns.regrant(context.database, seq);
    // Gateways ignore the values immediately, and the worker removes them from the index.
    if (patch.hidden_columns !== undefined || patch.unindexed_columns !== undefined)
      await this.values.want(id);
    return this.databases.find(id);
  }

  /** Publishes a new project name to gateways. */
  async renameProject(database: TenantDatabase, projectName: string): Promise<void> {
    await this.#change(database.id, () => ({ projectName }));
  }

  /**
   * Changes the locked row, with a new version and an entry in the change log. Returns the number of the
   * entry.
   */
  async #change(
    id: string,
    toPatch: (row: TenantDatabase) => Partial<TenantDatabase>,
    record: (manager: EntityManager) => Promise<void> = async () => undefined,
  ): Promise<number> {
    const entry = await this.db.cellTransaction(async (manager) => {
      const rows = manager.getRepository(TenantDatabase);
      const row = await lockDatabase(manager, id);
      const version = row.version + 1;
      await updateRows(rows, { id }, { ...toPatch(row), version });
      await record(manager);
      return this.changes.append(manager, id, 'settings', version);
    });
    await this.changes.announce(entry, [databaseRecordKey(this.db.cellId, id)]);
    return entry.seq;
  }

  /** Throws 422 for unknown tables in `require_if_match`, because a typo would leave a table unprotected. */
  async #assertTablesExist(database: TenantDatabase, names: readonly string[]): Promise<void> {
    const tables =
      (await this.snapshots.deployed(database))?.tables.filter((table) => table.kind === 'table') ?? [];
    const known = tables.map((table) => table.name);
    rejectUnknownNames(
      findUnknownNames(names, known, (name, index) => ({
        loc: ['body', 'settings', 'require_if_match', index],
        msg: `The table ${name} does not exist.`,
        type: 'unknown_table',
      })),
    );
  }
}

/**
 * Removes repeated names from setting lists, because gateways hold the settings of every database that they
 * serve.
 */
function withoutRepeats(settings: Settings): Settings {
  const {
    require_if_match: guarded,
    hidden_columns: hidden,
    unindexed_columns: unindexed,
    number_columns: numbers,
  } = settings;
  return {
    ...settings,
    ...(guarded === undefined ? {} : { require_if_match: [...new Set(guarded)] }),
    ...(hidden === undefined ? {} : { hidden_columns: eachOnce(hidden) }),
    ...(unindexed === undefined ? {} : { unindexed_columns: eachOnce(unindexed) }),
    ...(numbers === undefined ? {} : { number_columns: eachOnce(numbers) }),
  };
}

function eachOnce(columns: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(columns).map(([table, names]) => [table, [...new Set(names)]]));
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

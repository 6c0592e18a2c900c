import { randomInt } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  DEFAULT_DATABASE_SETTINGS,
  type CreateDatabaseRequest,
  type DatabaseResponse,
  type DatabaseSettings,
} from '@rowhouse/contracts';
import { SLOT_COUNT } from '@rowhouse/credentials';
import { AppError } from '@rowhouse/errors';
import { createId, randomBase32 } from '@rowhouse/runtime';
import type { EngineKind } from '@rowhouse/schema-model';
import { IsNull, MoreThan, Not, type EntityManager } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import { changedConcurrently, ReachFinder } from '../../access/reach-finder.js';
import type { Config } from '../../config.js';
import type { Project } from '../../platform-db/entities/project.js';
import type { ServerRow } from '../../platform-db/entities/server-row.js';
import { NEW_DATABASE, TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { NEW_LOAD, TransferLoad } from '../../platform-db/entities/transfer-load.js';
import { insertRow } from '../../platform-db/typed-rows.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { CONFIG } from '../../platform/tokens.js';
import { noCapacity } from './choose-servers.js';
import { DatabasePlacement, type PlacementInput, type ServerEngine } from './database-placement.js';
import { DatabaseRemoval } from './database-removal.js';
import { countCapacity, lockServer, inProject, GRACE_MS } from './database-locks.js';
import { toIso } from '../../http/timestamps.js';

/** The maximum length of an environment's name in the database column, in characters. */
const ENVIRONMENT_LENGTH = 32;

export interface FileOrigin {
  readonly fileId: string;
  readonly revision: number;
  readonly rowsTotal: number;
  readonly accountId: string;
  /** The settings that a new database copies. */
  readonly settings: Partial<Pick<DatabaseSettings, 'hidden_columns' | 'number_columns'>>;
}

export interface DatabaseInput {
  readonly environment: string;
  /** The file from which the database is created; null for an empty database. */
  readonly from: FileOrigin | null;
}

export interface CreatedDatabase {
  readonly databaseId: string;
  readonly taskId: string;
  readonly loadId: string | null;
}

/** The fields of the project that databases store. */
type DatabaseOwner = Pick<Project, 'id' | 'name' | 'createdBy' | 'organizationId'>;

/** Records the audit event of a database in the transaction that creates it. */
type RecordDatabase = (manager: EntityManager, databaseId: string) => Promise<void>;

export const DOCS_SLUG_LENGTH = 26;

/** Creates, lists and deletes databases of projects. */
@Injectable()
export class DatabaseService {
  constructor(
    private readonly db: PlatformDb,
    private readonly placement: DatabasePlacement,
    private readonly tasks: TaskRunner,
    private readonly removal: DatabaseRemoval,
    private readonly reachFinder: ReachFinder,
    private readonly audit: AuditWriter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Inserts rows and `provision_database` tasks in one transaction. Returns the tasks to wait for. */
  async insertAll(
    project: DatabaseOwner,
    environments: readonly string[],
    engine?: EngineKind,
  ): Promise<{ databaseIds: string[]; taskIds: string[] }> {
    const created = await this.insertMany(
      project,
      environments.map((environment) => ({ environment, from: null })),
      { engine },
    );
    return {
      databaseIds: created.map((createdDatabase) => createdDatabase.databaseId),
      taskIds: created.map((createdDatabase) => createdDatabase.taskId),
    };
  }

  /**
   * Inserts databases like `insertAll`. A database `from` a file gets a `restore_database` task and a load.
   */
  async insertMany(
    project: DatabaseOwner,
    inputs: readonly DatabaseInput[],
    options: Pick<PlacementInput, 'engine' | 'preferred'> & { readonly record?: RecordDatabase } = {},
  ): Promise<CreatedDatabase[]> {
    const { record = async () => undefined, ...engines } = options;
    // A concurrent request may have taken the free capacity of a server, so the next server is tried.
    for (const serverId of await this.placement.listServers({
      databases: inputs.length,
      organizationId: project.organizationId,
      projectId: project.id,
      ...engines,
    })) {
      const created = await this.#insertOn(serverId, project, inputs, record);
      if (created === null) continue;
      await Promise.all(created.map(({ taskId }) => this.tasks.notify(taskId)));
      return created;
    }
    throw noCapacity(engines.engine);
  }

  /**
   * Inserts the databases on one server. Returns null when the server no longer has capacity for all of them.
   */
  #insertOn(
    serverId: string,
    project: DatabaseOwner,
    inputs: readonly DatabaseInput[],
    record: RecordDatabase,
  ): Promise<CreatedDatabase[] | null> {
    return inProject<CreatedDatabase[] | null, ServerRow | null>(
      this.db,
      project.id,
      async (manager, server) => {
        if (server?.state !== 'active' || (await countCapacity(manager, server)) < inputs.length) return null;
        await this.#assertProjectQuota(manager, project.id, inputs.length);
        const rows: CreatedDatabase[] = [];
        for (const input of inputs) rows.push(await this.#insert(manager, project, input, serverId));
        for (const { databaseId } of rows) await record(manager, databaseId);
        return rows;
      },
      (manager) => lockServer(manager, this.db.cellId, serverId),
    ).catch((error: unknown) => {
      // A concurrent request created the name after `assertFree`.
      throw (error as { code?: string }).code === 'ER_DUP_ENTRY' ? nameTaken() : error;
    });
  }

  /**
   * Throws when the project has too many databases. It runs within `inProject`. A new project gets all its
   * initial databases.
   */
  async #assertProjectQuota(
    manager: EntityManager,
    projectId: string,
    requestedCount: number,
  ): Promise<void> {
    const { databasesPerProjectMax } = this.config;
    if (databasesPerProjectMax === 0) return;
    const inGrace = {
      projectId,
      deletedAt: MoreThan(new Date(this.db.nowMs() - GRACE_MS)),
      provisionState: Not<'failed'>('failed'),
    };
    const retainedCount = await manager
      .getRepository(TenantDatabase)
      .countBy([{ projectId, deletedAt: IsNull() }, inGrace]);
    if (retainedCount === 0 || retainedCount + requestedCount <= databasesPerProjectMax) return;
    throw new AppError('resource.conflict', {
      detail: `A project can have at most ${databasesPerProjectMax} databases.`,
      hint: 'Delete one you no longer need. Deleted ones count for seven more days.',
    });
  }

  async #insert(
    manager: EntityManager,
    project: DatabaseOwner,
    { environment, from }: DatabaseInput,
    serverId: string,
  ): Promise<CreatedDatabase> {
    const databaseId = createId('db');
    await insertRow(manager.getRepository(TenantDatabase), {
      ...NEW_DATABASE,
      id: databaseId,
      cellId: this.db.cellId,
      projectId: project.id,
      projectName: project.name,
      accountId: project.createdBy,
      environment,
      schemaName: `p${randomBase32(15)}`,
      slot: randomInt(SLOT_COUNT),
      serverId,
      docsSlug: randomBase32(DOCS_SLUG_LENGTH),
      settings: { ...DEFAULT_DATABASE_SETTINGS, ...from?.settings },
      createdAt: new Date(),
    });
    const subject = { databaseId, projectId: project.id };
    if (from === null)
      return {
        databaseId,
        taskId: await this.tasks.insert(manager, 'provision_database', { database_id: databaseId }, subject),
        loadId: null,
      };
    const loadId = createId('lod');
    await insertRow(manager.getRepository(TransferLoad), {
      ...NEW_LOAD,
      id: loadId,
      cellId: this.db.cellId,
      projectId: project.id,
      databaseId,
      fileId: from.fileId,
      kind: 'restore',
      rowsTotal: from.rowsTotal,
      createdBy: from.accountId,
      createdAt: new Date(),
    });
    const payload = {
      load_id: loadId,
      file_id: from.fileId,
      database_id: databaseId,
      revision: from.revision,
    };
    return {
      databaseId,
      taskId: await this.tasks.insert(manager, 'restore_database', payload, subject),
      loadId,
    };
  }

  /** Throws `platform.unavailable` if no shared server can take this many databases of a new organization. */
  async assertCapacity(databases: number): Promise<void> {
    await this.placement.listServers({ databases, organizationId: '' });
  }

  async listOf(projectId: string): Promise<TenantDatabase[]> {
    return this.db.cell
      .getRepository(TenantDatabase)
      .find({ where: { projectId, deletedAt: IsNull() }, order: { createdAt: 'ASC', environment: 'ASC' } });
  }

  async listResponses(projectId: string): Promise<DatabaseResponse[]> {
    return this.toResponses(await this.listOf(projectId));
  }

  async toResponses(rows: readonly TenantDatabase[]): Promise<DatabaseResponse[]> {
    const engines = await this.placement.readEngines(rows.map((row) => row.serverId));
    return rows.map((row) => toDatabaseResponse(row, this.config, engines.get(row.serverId)));
  }

  async toResponse(row: TenantDatabase): Promise<DatabaseResponse> {
    const [answer] = await this.toResponses([row]);
    return answer as DatabaseResponse;
  }

  /**
   * Adds an environment to a project. The response is 201 even if the database is not ready yet, as its
   * `state` shows.
   */
  async create(
    context: RequestContext,
    { environment, engine }: CreateDatabaseRequest,
  ): Promise<DatabaseResponse> {
    await this.assertFree(context.project.id, environment);
    const [created] = await this.insertMany(context.project, [{ environment, from: null }], {
      engine,
      record: (manager, databaseId) =>
        this.audit.record(manager, context, {
          action: 'database.create',
          target: databaseId,
          databaseId,
          detail: { environment, ...(engine === undefined ? {} : { engine }) },
        }),
    });
    const { databaseId, taskId } = created as CreatedDatabase;
    await this.assertStillAllowed(context, databaseId);
    await this.tasks.wait(taskId).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'db.timeout') return;
      await this.#giveUp(
        await this.db.cell.getRepository(TenantDatabase).findOneByOrFail({ id: databaseId }),
      );
      throw error;
    });
    return this.toResponse(
      await this.db.cell.getRepository(TenantDatabase).findOneByOrFail({ id: databaseId }),
    );
  }

  /**
   * Throws `resource.conflict` if the caller has lost access. The check runs after the database was created,
   * because a concurrent deletion of the project would not have seen the database.
   */
  async assertStillAllowed(context: RequestContext, databaseId: string): Promise<void> {
    if (await this.reachFinder.isAccessUnchanged(context)) return;
    await this.removal.remove(
      await this.db.cell.getRepository(TenantDatabase).findOneByOrFail({ id: databaseId }),
    );
    throw changedConcurrently();
  }

  /** Throws unless the environment's name is free. A database that could not be created frees its name. */
  async assertFree(projectId: string, environment: string): Promise<void> {
    const present = await this.db.cell.getRepository(TenantDatabase).findOneBy({ projectId, environment });
    if (present === null) return;
    if (present.provisionState === 'failed') return this.#giveUp(present);
    throw present.deletedAt === null
      ? nameTaken()
      : new AppError('resource.conflict', {
          detail: 'A deleted database with this name can still be restored.',
        });
  }

  async find(id: string): Promise<DatabaseResponse> {
    return this.toResponse(await this.db.cell.getRepository(TenantDatabase).findOneByOrFail({ id }));
  }

  /** Frees the name of a database that could not be created, and removes the parts that exist. */
  async #giveUp(
    database: TenantDatabase,
    record: (manager: EntityManager) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const taskId = await this.db.cellTransaction(async (manager) => {
      await manager.getRepository(TenantDatabase).update(
        { id: database.id },
        {
          environment: database.id.slice(0, ENVIRONMENT_LENGTH),
          deletedAt: new Date(this.db.nowMs()),
          locationState: 'suspended',
          provisionState: 'failed',
        },
      );
      await record(manager);
      return this.tasks.insert(
        manager,
        'drop_database',
        { database_id: database.id },
        { databaseId: database.id, projectId: database.projectId },
      );
    });
    await this.tasks.notify(taskId);
  }

  /**
   * Deletes a database. Its keys and connections end immediately. The rows are retained for the grace period.
   */
  async delete(context: RequestContext, confirm: string): Promise<void> {
    const { database } = context;
    if (confirm !== database.environment)
      throw new AppError('resource.confirmation', { hint: `confirm must be ${database.environment}` });
    const record = (manager: EntityManager): Promise<void> =>
      this.audit.record(manager, context, { action: 'database.delete', target: database.id });
    if (database.provisionState === 'failed') await this.#giveUp(database, record);
    else await this.removal.remove(database, undefined, record);
  }
}

function nameTaken(): AppError {
  return new AppError('resource.conflict', {
    detail: 'This project already has a database for this environment.',
  });
}

/**
 * Converts a database row to its response. Clients append `/v1/-/…` to `base_url`. `engine` is the engine of
 * the database's server, if known.
 */
export function toDatabaseResponse(
  row: TenantDatabase,
  { gatewayUrl, region }: Pick<Config, 'gatewayUrl' | 'region'>,
  engine: ServerEngine | undefined,
): DatabaseResponse {
  return {
    id: row.id,
    project_id: row.projectId,
    environment: row.environment,
    docs_slug: row.docsSlug,
    docs_url: `${gatewayUrl}/v1/-/docs/${row.docsSlug}`,
    base_url: gatewayUrl,
    region,
    engine: engine?.kind ?? null,
    engine_version: engine?.version ?? null,
    state: row.provisionState,
    snapshot_number: row.snapshotNumber,
    // Settings that did not exist when the row was written get their defaults.
    settings: { ...DEFAULT_DATABASE_SETTINGS, ...row.settings },
    created_at: row.createdAt.toISOString(),
    missing_since: toIso(row.missingSince),
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { CloneRequest, LoadResponse, MigrationResponse, ProjectResponse } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { createId, type Logger } from '@rowhouse/runtime';
import type { EntityManager } from 'typeorm';
import type { RequestContext } from '../../access/request-context.js';
import type { Config } from '../../config.js';
import type { Project } from '../../platform-db/entities/project.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { TASK_DEADLINE_MS, TaskRunner } from '../../platform/task-runner.js';
import { CONFIG, LOGGER } from '../../platform/tokens.js';
import { DatabaseService, type CreatedDatabase } from '../databases/database-service.js';
import { DeployService } from '../deploys/deploy-service.js';
import { SchemaPlanner } from '../deploys/schema-planner.js';
import { ProjectMaker } from '../projects/project-maker.js';
import { ProjectService } from '../projects/project-service.js';
import { WorkingSchemaStore } from '../schema/working-schema-store.js';
import { LoadService } from '../transfers/load-service.js';
import { readManifest } from '../transfers/transfer-responses.js';
import { renderSchema } from '../schema/render-schema.js';
import { ShareService, type FoundLink } from './share-service.js';

export type ClonedResponse = ProjectResponse & { load: LoadResponse | null; migrations: MigrationResponse[] };

const BACKGROUND_DEADLINE_MS = 300_000;

/**
 * Creates a project of the caller from a share link. The new project has no reference to the shared project.
 */
@Injectable()
export class CloneService {
  constructor(
    private readonly db: PlatformDb,
    private readonly shares: ShareService,
    private readonly projects: ProjectService,
    private readonly maker: ProjectMaker,
    private readonly databases: DatabaseService,
    private readonly deploys: DeployService,
    private readonly planner: SchemaPlanner,
    private readonly schemas: WorkingSchemaStore,
    private readonly loads: LoadService,
    private readonly tasks: TaskRunner,
    private readonly audit: AuditWriter,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Clones a shared project. With data, the development database is created from the copy, and production
   * gets the schema. `load` and `migrations` report progress.
   */
  async clone(context: RequestContext, token: string, request: CloneRequest): Promise<ClonedResponse> {
    if (this.config.ddlLocked) throw new AppError('schema.locked');
    const found = await this.shares.find(token);
    const organizationId = await this.projects.chooseOrganization(context, request.organization_id);
    const withData = found.link.includesData && request.data !== false;
    const { sql, snapshot, engine: preferred } = await this.#parseSchema(context, found);
    const input = {
      organizationId,
      name: request.name ?? found.link.name,
      starter: 'empty',
      accountId: context.accountId,
      record: (manager: EntityManager, created: Project) =>
        this.audit.record(manager, context, {
          action: 'project.clone',
          target: created.id,
          organizationId,
          projectId: created.id,
          detail: { data: withData },
        }),
    } as const;
    const { project, filled: created } = await this.maker.begin(input, async (started) => {
      await this.db.cellTransaction((manager) =>
        this.schemas.add(manager, {
          projectId: started.id,
          base: 0,
          snapshot,
          statements: sql,
          mode: 'replace',
          createdBy: context.accountId,
        }),
      );
      return this.databases.insertMany(
        started,
        [
          { environment: 'development', from: withData ? this.#source(context, found) : null },
          { environment: 'production', from: null },
        ],
        { preferred },
      );
    });
    await this.shares.countClone(found.link.id);
    await this.#finishWithin(context, project, created);
    const [development] = created;
    const load =
      development === undefined || development.loadId === null
        ? null
        : await this.loads.find(development.databaseId, development.loadId);
    return {
      ...(await this.projects.toResponse(project)),
      load,
      migrations: await this.maker.migrationsOf({ project }),
    };
  }

  /**
   * Lets the engine parse the shared schema before anything is created. The engine may not be the one that
   * wrote the schema.
   */
  async #parseSchema(context: RequestContext, found: FoundLink) {
    const shared = await this.shares.readSchema(found);
    const sql = await renderSchema(shared);
    const engine = shared?.engine;
    const { draft } = await this.planner.plan({
      projectId: createId('prj'),
      accountId: context.accountId,
      base: null,
      mode: 'replace',
      sql,
      targetIds: [],
      ...(engine === undefined ? {} : { engine }),
    });
    return { sql, snapshot: draft, engine };
  }

  #source(context: RequestContext, { file }: FoundLink) {
    return {
      fileId: file.id,
      revision: 1,
      rowsTotal: file.rowsTotal,
      accountId: context.accountId,
      settings: { number_columns: readManifest(file).numberColumns ?? {} },
    };
  }

  /** Waits for the work until the deadline. Work that is not complete then continues after the response. */
  async #finishWithin(
    context: RequestContext,
    project: Project,
    created: readonly CreatedDatabase[],
  ): Promise<void> {
    const finishing = Promise.all(created.map((database) => this.#finish(context, project, database)));
    finishing.catch((error: unknown) =>
      this.logger.error({ err: error, project: project.id }, 'a clone was not finished'),
    );
    await Promise.race([
      finishing.catch(() => undefined),
      pause(TASK_DEADLINE_MS, undefined, { ref: false }),
    ]);
  }

  /** A database without data gets its schema by an ordinary deploy. */
  async #finish(
    context: RequestContext,
    project: Project,
    { databaseId, taskId, loadId }: CreatedDatabase,
  ): Promise<void> {
    await this.tasks.wait(taskId, BACKGROUND_DEADLINE_MS);
    if (loadId !== null) return;
    await this.deploys.deploy({
      projectId: project.id,
      accountId: context.accountId,
      request: { targets: [{ database: databaseId }], revision: 1 },
    });
  }
}

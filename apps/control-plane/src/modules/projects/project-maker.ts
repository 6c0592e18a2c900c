import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { MIGRATION_END_STATES, type MigrationResponse } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { createId, type Logger } from '@rowhouse/runtime';
import type { EngineKind } from '@rowhouse/schema-model';
import { In, IsNull, MoreThan, type EntityManager } from 'typeorm';
import type { Config } from '../../config.js';
import { Account } from '../../platform-db/entities/account.js';
import { MigrationRow } from '../../platform-db/entities/migration-row.js';
import { Project } from '../../platform-db/entities/project.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { TASK_DEADLINE_MS, TaskRunner } from '../../platform/task-runner.js';
import { CONFIG, LOGGER } from '../../platform/tokens.js';
import { readStarter, type StarterName } from '../../starters/read-starter.js';
import { DatabaseService } from '../databases/database-service.js';
import { DatabaseRemoval } from '../databases/database-removal.js';
import { DeployService } from '../deploys/deploy-service.js';
import { toMigrationResponse } from '../migrations/migration-response.js';
import { lockOrganization } from '../organizations/organization-locks.js';
import { GRACE_MS } from '../databases/database-locks.js';

/** The environments of a new project. Each gets a database. */
export const ENVIRONMENTS = ['development', 'production'] as const;
const POLL_INTERVAL_MS = 20;
/** How long work may continue in the background after the response, in milliseconds. */
const BACKGROUND_DEADLINE_MS = 300_000;

export interface ProjectInput {
  readonly organizationId: string;
  readonly name: string;
  readonly starter: StarterName;
  readonly accountId: string;
  /** The engine of the project's databases; undefined for the operator's default. */
  readonly engine?: EngineKind | undefined;
  /** Records the audit event of the project in the transaction that creates it. */
  readonly record?: (manager: EntityManager, project: Project) => Promise<void>;
}
export interface CreatedProject {
  readonly project: Project;
  /** Whether both databases exist and the starter is deployed to both. */
  readonly isLive: boolean;
}

/** Creates projects: the row, a development and a production database, and the starter deployed to both. */
@Injectable()
export class ProjectMaker {
  constructor(
    private readonly db: PlatformDb,
    private readonly databases: DatabaseService,
    private readonly deploys: DeployService,
    private readonly removal: DatabaseRemoval,
    private readonly tasks: TaskRunner,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws for a starter that would leave an incomplete project, before anything is created. */
  assertPossible(starter: StarterName): void {
    if (this.config.ddlLocked && starter !== 'empty')
      throw new AppError('schema.locked', { hint: 'You can still create an empty project.' });
  }

  async make(input: ProjectInput): Promise<CreatedProject> {
    this.assertPossible(input.starter);
    const endsAt = performance.now() + TASK_DEADLINE_MS;
    const { project, filled } = await this.begin(input, (started) =>
      this.databases.insertAll(started, ENVIRONMENTS, input.engine),
    );
    const isLive = await this.#finishWithin(
      endsAt - performance.now(),
      project,
      filled.databaseIds,
      filled.taskIds,
    );
    return { project, isLive };
  }

  /**
   * Inserts a project and runs `fill`. If `fill` fails, the project is removed. Throws `resource.conflict`
   * when the account has too many projects.
   */
  async begin<T>(
    input: ProjectInput,
    fill: (project: Project) => Promise<T>,
  ): Promise<{ project: Project; filled: T }> {
    const projects = this.db.global.getRepository(Project);
    const project = projects.create({
      id: createId('prj'),
      organizationId: input.organizationId,
      cellId: this.db.cellId,
      name: input.name,
      starter: input.starter,
      createdBy: input.accountId,
      createdAt: new Date(),
      deletedAt: null,
    });
    await this.db.globalTransaction(async (manager) => {
      await this.#assertCapacity(manager, input.accountId);
      await lockOrganization(manager, input.organizationId);
      await manager.getRepository(Project).insert(project);
      await input.record?.(manager, project);
    });
    try {
      return { project, filled: await fill(project) };
    } catch (error) {
      await projects
        .delete({ id: project.id })
        .catch((fault: unknown) =>
          this.logger.error(
            { err: fault, project: project.id },
            'a project without databases could not be removed',
          ),
        );
      throw error;
    }
  }

  /** The lock makes concurrent requests count each other's projects. */
  async #assertCapacity(manager: EntityManager, accountId: string): Promise<void> {
    const { projectsPerAccountMax } = this.config;
    if (projectsPerAccountMax === 0) return;
    await manager
      .getRepository(Account)
      .findOne({ where: { id: accountId }, lock: { mode: 'pessimistic_write' } });
    const created = { createdBy: accountId };
    const count = await manager.getRepository(Project).countBy([
      { ...created, deletedAt: IsNull() },
      { ...created, deletedAt: MoreThan(new Date(this.db.nowMs() - GRACE_MS)) },
    ]);
    if (count < projectsPerAccountMax) return;
    throw new AppError('resource.conflict', {
      detail: `An account can create at most ${projectsPerAccountMax} projects.`,
      hint: 'Delete one you no longer need. Deleted ones count for seven more days.',
    });
  }

  /**
   * Waits for the databases and the starter. Returns true when both are live, and false when work continues
   * after the response. Throws when there will be no databases.
   */
  async #finishWithin(
    durationMs: number,
    project: Project,
    databaseIds: readonly string[],
    taskIds: readonly string[],
  ): Promise<boolean> {
    const finishing = this.#finish(project, databaseIds, taskIds);
    // The race below throws only errors that occur within its time. This handler also logs later errors.
    finishing.catch((error: unknown) =>
      this.logger.error({ err: error, project: project.id }, 'a project could not be created'),
    );
    return Promise.race([finishing, pause(Math.max(0, durationMs), false, { ref: false })]);
  }

  /** Finishes a project that an earlier process started. Its databases are ready, but have no schema. */
  async resume(project: Project): Promise<void> {
    await this.#deployStarter(project);
  }

  async migrationsOf(created: Pick<CreatedProject, 'project'>): Promise<MigrationResponse[]> {
    const rows = await this.db.cell
      .getRepository(MigrationRow)
      .find({ where: { projectId: created.project.id }, order: { createdAt: 'ASC' } });
    return rows.map((row) => toMigrationResponse(row));
  }

  async #finish(
    project: Project,
    databaseIds: readonly string[],
    taskIds: readonly string[],
  ): Promise<boolean> {
    try {
      await Promise.all(taskIds.map((id) => this.tasks.wait(id, BACKGROUND_DEADLINE_MS)));
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'db.timeout'))
        await this.#abandon(project, databaseIds);
      throw error;
    }
    try {
      return await this.#awaitPublished(await this.#deployStarter(project));
    } catch (error) {
      // The databases work without a starter. The control plane tries the starter again when it starts the
      // next time.
      this.logger.error({ err: error, project: project.id }, 'a starter was not deployed');
      return false;
    }
  }

  /** Removes a project that will never have a database. */
  async #abandon(project: Project, databaseIds: readonly string[]): Promise<void> {
    const now = new Date(this.db.nowMs());
    await this.db.global.getRepository(Project).update({ id: project.id }, { deletedAt: now });
    for (const database of await this.databases.listOf(project.id)) await this.removal.remove(database, now);
    for (const id of databaseIds)
      await this.tasks.enqueue(
        'drop_database',
        { database_id: id },
        { databaseId: id, projectId: project.id },
      );
  }

  async #deployStarter(project: Project): Promise<string[]> {
    const sql = await readStarter(project.starter as StarterName);
    if (sql === null) return [];
    const { migrations } = await this.deploys.deploy({
      projectId: project.id,
      accountId: project.createdBy,
      request: { sql },
      mode: 'replace',
      planDeadlineMs: BACKGROUND_DEADLINE_MS,
    });
    return migrations.map((migration) => migration.id);
  }

  async #awaitPublished(ids: readonly string[]): Promise<boolean> {
    const endsAt = performance.now() + BACKGROUND_DEADLINE_MS;
    while (performance.now() < endsAt) {
      const rows = await this.db.cell
        .getRepository(MigrationRow)
        .find({ where: { id: In([...ids]) }, select: { id: true, state: true } });
      if (rows.every((row) => MIGRATION_END_STATES.includes(row.state)))
        return rows.every((row) => row.state === 'published');
      await pause(POLL_INTERVAL_MS, undefined, { ref: false });
    }
    return false;
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  MIGRATION_END_STATES,
  type DeployResponse,
  type DeployRequest,
  type DiffResponse,
  type MigrationResponse,
  type MigrationPlan,
} from '@rowhouse/contracts';
import { AppError, validationError } from '@rowhouse/errors';
import { maySetCounter } from '@rowhouse/query-engine';
import type { JobNotificationProducer } from '@rowhouse/queue';
import { In } from 'typeorm';
import { ReachFinder } from '../../access/reach-finder.js';
import type { RequestContext } from '../../access/request-context.js';
import type { Config } from '../../config.js';
import { MigrationRow } from '../../platform-db/entities/migration-row.js';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { CONFIG, JOB_NOTIFICATION_PRODUCER } from '../../platform/tokens.js';
import { DatabaseService } from '../databases/database-service.js';
import { MigrationService } from '../migrations/migration-service.js';
import { isSameSchema } from '../schema/compare-schemas.js';
import { staleRevision, WorkingSchemaStore, type Revision } from '../schema/working-schema-store.js';
import { assertDeployable } from './deploy-checks.js';
import { MigrationInserter, type MigrationsToInsert } from './migration-inserter.js';
import { SchemaPlanner } from './schema-planner.js';

/**
 * How long a deploy waits for earlier migrations of its targets, in milliseconds. Afterwards it plans against
 * the targets' current schema.
 */
const EARLIER_DEADLINE_MS = 10_000;
const POLL_INTERVAL_MS = 250;

export interface DeployInput {
  readonly projectId: string;
  readonly accountId: string;
  readonly request: DeployRequest;
  readonly mode?: 'replace' | 'apply';
  /**
   * How long to wait for a busy worker, in milliseconds. The default is the time for which a caller waits.
   */
  readonly planDeadlineMs?: number;
  /** Throws if the plans must not run. It is called with the plans that are inserted otherwise. */
  readonly assertPlans?: (plans: readonly MigrationPlan[]) => Promise<void>;
  /** Throws if the caller's access ended while the worker planned. */
  readonly assertAccess?: () => Promise<void>;
  /** Records the audit event of each migration. Omitted when the deploy is part of a recorded change. */
  readonly record?: MigrationsToInsert['record'];
}

/** Creates queued migrations for the worker from a working schema. */
@Injectable()
export class DeployService {
  constructor(
    private readonly db: PlatformDb,
    private readonly databases: DatabaseService,
    private readonly schemas: WorkingSchemaStore,
    private readonly planner: SchemaPlanner,
    private readonly inserter: MigrationInserter,
    private readonly migrations: MigrationService,
    private readonly reachFinder: ReachFinder,
    private readonly audit: AuditWriter,
    @Inject(JOB_NOTIFICATION_PRODUCER) private readonly notificationProducer: JobNotificationProducer,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async deployFor(
    context: RequestContext,
    request: DeployRequest,
    assertPlans: DeployInput['assertPlans'] = async () => undefined,
  ): Promise<DeployResponse> {
    return this.deploy({
      assertPlans,
      projectId: context.project.id,
      accountId: context.accountId,
      request,
      assertAccess: () => this.reachFinder.assertAccessUnchanged(context),
      record: (manager, migrationId, databaseId, revision) =>
        this.audit.record(manager, context, {
          action: 'deploy',
          target: migrationId,
          databaseId,
          detail: { revision, accept_loss: request.accept_loss === true },
        }),
    });
  }

  /**
   * Plans and validates a deploy. Then stores the revision, migrations and steps in one transaction, and
   * notifies a worker.
   */
  async deploy(input: DeployInput): Promise<DeployResponse> {
    if (this.config.ddlLocked) throw new AppError('schema.locked');
    const { projectId, request } = input;
    const targets = await this.chooseTargets(projectId, request.targets);
    await this.#awaitEarlier(targets);
    const base = await this.#chooseBase(projectId, request);
    const sql = request.sql ?? '';
    const mode = input.mode ?? 'apply';
    const {
      draft,
      plans,
      notes,
      passesNames = false,
    } = await this.planner.plan({
      projectId,
      base: base.snapshot,
      mode,
      sql,
      revision: base.revision,
      targetIds: targets.map((target) => target.id),
      ...(input.planDeadlineMs === undefined ? {} : { deadlineMs: input.planDeadlineMs }),
    });
    await input.assertPlans?.(plans);
    assertDeployable(plans, request);
    await input.assertAccess?.();
    // AUTO_INCREMENT is not part of a schema. The revision is stored anyway, because its statement must also
    // reach other databases.
    const hasUndiffableChange = passesNames || (mode === 'apply' && maySetCounter(sql));
    const isNewRevision =
      sql.trim() !== '' && (hasUndiffableChange || !(await isSameSchema(draft, base.snapshot)));
    const { revision, ids } = await this.inserter.insert({
      projectId,
      accountId: input.accountId,
      targets,
      base: base.revision,
      plans: plans.filter((plan) => plan.steps.length > 0),
      newRevision: isNewRevision ? { snapshot: draft, statements: sql, mode } : null,
      record: input.record ?? (async () => undefined),
    });
    await Promise.all(
      ids.map((id) => this.notificationProducer.notify({ kind: 'migration', id, attempt: 0 })),
    );
    return {
      revision,
      migrations: await this.#listResponses(ids),
      notes: [...notes, ...(ids.length === 0 ? [nothingToDo(targets)] : [])],
    };
  }

  /** Returns the plans that a deploy would use now, without storing anything. */
  async diff(projectId: string, databaseId: string | undefined): Promise<DiffResponse> {
    const targets = await this.chooseTargets(
      projectId,
      databaseId === undefined ? undefined : [{ database: databaseId }],
      'query',
    );
    const newest = await this.schemas.newest(projectId);
    if (newest.snapshot === null) return { revision: 0, plans: [] };
    const { plans } = await this.planner.plan({
      projectId,
      base: newest.snapshot,
      mode: 'apply',
      sql: '',
      targetIds: targets.map((target) => target.id),
    });
    return { revision: newest.revision, plans: [...plans] as MigrationPlan[] };
  }

  /** Returns the target databases. A target is named by its id, or by its environment within the project. */
  async chooseTargets(
    projectId: string,
    requested: DeployRequest['targets'],
    location: 'body' | 'query' = 'body',
  ): Promise<TenantDatabase[]> {
    const present = await this.databases.listOf(projectId);
    const chosen =
      requested === undefined
        ? present
        : requested.map((target, index) => findTarget(present, target, index, location));
    const unready = chosen.find((target) => target.provisionState !== 'ready');
    if (unready !== undefined)
      throw new AppError('db.provisioning', {
        detail: `The database ${unready.environment} is not ready.`,
        retryAfterSeconds: 2,
      });
    return [...new Map(chosen.map((target) => [target.id, target])).values()];
  }

  /**
   * Returns the revision to deploy. A text always changes the newest revision. Without a text, any revision
   * can be deployed.
   */
  async #chooseBase(projectId: string, request: DeployRequest): Promise<Revision> {
    const newest = await this.schemas.newest(projectId);
    if (request.revision === undefined || request.revision === newest.revision) return newest;
    if (request.sql !== undefined) throw staleRevision(newest.revision);
    return this.schemas.find(projectId, request.revision);
  }

  /**
   * Waits for unfinished migrations of the targets. They may change the schema, and a plan made earlier would
   * then no longer fit.
   */
  async #awaitEarlier(targets: readonly TenantDatabase[]): Promise<void> {
    if (targets.length === 0) return;
    const endsAt = performance.now() + EARLIER_DEADLINE_MS;
    const unfinished = this.db.cell
      .getRepository(MigrationRow)
      .createQueryBuilder('migration')
      .where('migration.databaseId IN (:...ids)', { ids: targets.map((target) => target.id) })
      .andWhere('migration.state NOT IN (:...ends)', { ends: [...MIGRATION_END_STATES, 'draft'] });
    while (performance.now() < endsAt && (await unfinished.getExists())) {
      await pause(POLL_INTERVAL_MS);
    }
  }

  async #listResponses(ids: readonly string[]): Promise<MigrationResponse[]> {
    const rows = await this.db.cell.getRepository(MigrationRow).findBy({ id: In([...ids]) });
    return this.migrations.toResponses(
      ids.flatMap((id) => rows.find((migrationRow) => migrationRow.id === id) ?? []),
    );
  }
}

/**
 * Returns the reason why a deploy starts no migration. Without it, an empty list of migrations would look
 * like success.
 */
function nothingToDo(targets: readonly TenantDatabase[]): string {
  if (targets.length === 0) return 'Nothing was deployed, because the project has no database.';
  return (
    `Nothing was deployed, because ${targets.map((target) => target.environment).join(', ')} ` +
    `already ${targets.length === 1 ? 'has' : 'have'} this schema.`
  );
}

function findTarget(
  present: readonly TenantDatabase[],
  requested: { readonly database: string; readonly base_snapshot?: number | undefined },
  index: number,
  location: 'body' | 'query',
): TenantDatabase {
  const found =
    present.find((row) => row.id === requested.database) ??
    present.find((row) => row.environment === requested.database);
  if (found === undefined) {
    const loc = location === 'body' ? ['body', 'targets', index, 'database'] : ['query', 'database'];
    throw validationError(
      location === 'body' ? 'body.invalid' : 'params.invalid',
      [{ loc, msg: 'This project does not have this database.', type: 'unknown_database' }],
      `It has ${present.map((row) => `${row.environment} (${row.id})`).join(', ')}.`,
    );
  }
  if (requested.base_snapshot !== undefined && requested.base_snapshot !== found.snapshotNumber) {
    throw new AppError('schema.stale_base', {
      hint: `The deployed snapshot is ${found.snapshotNumber}.`,
      extra: { database: found.id, snapshot: found.snapshotNumber },
    });
  }
  return found;
}

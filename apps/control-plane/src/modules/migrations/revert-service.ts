import { Inject, Injectable } from '@nestjs/common';
import {
  MIGRATION_END_STATES,
  type ConfirmRequest,
  type MigrationResponse,
  type MigrationPlan,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { JobNotificationProducer } from '@rowhouse/queue';
import { MoreThan, In } from 'typeorm';
import { ReachFinder } from '../../access/reach-finder.js';
import type { RequestContext } from '../../access/request-context.js';
import type { Config } from '../../config.js';
import { MigrationRow } from '../../platform-db/entities/migration-row.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { AuditWriter } from '../../platform/audit-writer.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { CONFIG, JOB_NOTIFICATION_PRODUCER } from '../../platform/tokens.js';
import { assertDeployable } from '../deploys/deploy-checks.js';
import { DeployService } from '../deploys/deploy-service.js';
import { MigrationInserter } from '../deploys/migration-inserter.js';
import { MigrationService } from './migration-service.js';

const REVERTIBLE: readonly MigrationRow['state'][] = ['published', 'failed', 'cancelled', 'needs_attention'];

/** Reverts and retries migrations. */
@Injectable()
export class RevertService {
  constructor(
    private readonly db: PlatformDb,
    private readonly tasks: TaskRunner,
    private readonly inserter: MigrationInserter,
    private readonly deploys: DeployService,
    private readonly migrations: MigrationService,
    private readonly reachFinder: ReachFinder,
    private readonly audit: AuditWriter,
    @Inject(JOB_NOTIFICATION_PRODUCER) private readonly notificationProducer: JobNotificationProducer,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Returns the plan that a revert would use now, without storing anything. */
  async preview(context: RequestContext): Promise<MigrationPlan> {
    const { id, databaseId, projectId, state, origin } = context.migration;
    if (origin === 'revert')
      throw new AppError('schema.not_possible', {
        detail: 'A revert cannot be reverted.',
        hint: 'Deploy the reverted revision again.',
      });
    if (!REVERTIBLE.includes(state))
      throw new AppError('schema.not_possible', {
        detail: `This migration cannot be reverted: it is ${state}.`,
      });
    await this.#assertNewest(context.migration);
    const { plan } = await this.tasks.run(
      'plan_revert',
      { database_id: databaseId, migration_id: id },
      { databaseId, projectId },
    );
    return plan;
  }

  /** Queues a revert as a new migration. The new migration runs like any other and marks the reverted one. */
  async revert(context: RequestContext, request: ConfirmRequest): Promise<MigrationResponse> {
    if (this.config.ddlLocked) throw new AppError('schema.locked');
    const plan = await this.preview(context);
    assertDeployable([plan], request);
    await this.reachFinder.assertAccessUnchanged(context);
    if (plan.steps.length === 0)
      throw new AppError('schema.not_possible', {
        detail: 'There is nothing to revert. The schema is the same as before this migration.',
      });
    const { id: undoneId, projectId, databaseId } = context.migration;
    const revision = await this.#revisionBefore(context.migration);
    const id = await this.inserter.insertRevert({
      projectId,
      accountId: context.accountId,
      target: context.database,
      plan,
      revision,
      revertsId: undoneId,
      record: (manager, migrationId) =>
        this.audit.record(manager, context, {
          action: 'migration.revert',
          target: undoneId,
          databaseId,
          detail: { migration: migrationId, accept_loss: request.accept_loss === true },
        }),
    });
    await this.notificationProducer.notify({ kind: 'migration', id, attempt: 0 });
    return this.migrations.find(id);
  }

  /**
   * Continues an interrupted migration where it stopped. A failed or cancelled migration is planned again
   * from the current schema and runs as a new migration.
   */
  async retry(context: RequestContext, request: ConfirmRequest): Promise<MigrationResponse> {
    if (this.config.ddlLocked) throw new AppError('schema.locked');
    const { id, state, databaseId } = context.migration;
    const note = { action: 'migration.retry', target: id, databaseId };
    if (state === 'needs_attention') {
      await this.audit.changeCell(context, note, (manager) =>
        manager.query(
          `UPDATE migration SET state = 'running', attempt = 1, error = NULL, finished_at = NULL, cancel_requested_at = NULL, lease_expires_at = NULL WHERE id = ? AND state = 'needs_attention'`,
          [id],
        ),
      );
      await this.notificationProducer.notify({ kind: 'migration', id, attempt: 0 });
    } else if (state !== 'failed' && state !== 'cancelled') {
      throw new AppError('schema.not_possible', {
        detail: `Only a failed or cancelled migration can be run again. This one is ${state}.`,
      });
    } else {
      // The new migration below has its own audit event.
      await this.audit.write(context, note);
    }
    if (state === 'needs_attention') return this.migrations.find(id);
    return context.migration.origin === 'revert'
      ? this.#revertAgain(context, request)
      : this.#deployAgain(context, request);
  }

  async #deployAgain(context: RequestContext, request: ConfirmRequest): Promise<MigrationResponse> {
    const { revision, databaseId, projectId } = context.migration;
    const { migrations } = await this.deploys.deploy({
      projectId,
      accountId: context.accountId,
      request: { ...request, revision, targets: [{ database: databaseId }] },
      assertAccess: () => this.reachFinder.assertAccessUnchanged(context),
    });
    const [first] = migrations;
    if (first === undefined)
      throw new AppError('schema.not_possible', {
        detail: 'There is nothing to do. The database already has this schema.',
      });
    return this.migrations.find(first.id);
  }

  async #revertAgain(context: RequestContext, request: ConfirmRequest): Promise<MigrationResponse> {
    const undone = await this.#rows.findOneBy({ id: context.migration.revertsId ?? '' });
    if (undone === null)
      throw new AppError('schema.not_possible', {
        detail: 'The migration to revert no longer exists.',
      });
    return this.revert(context.withMigration(undone), request);
  }

  /**
   * Throws unless the migration is the newest. Later migrations build on this one, so reverting it would
   * silently revert them.
   */
  async #assertNewest(migration: MigrationRow): Promise<void> {
    const unfinished = await this.#rows
      .createQueryBuilder('m')
      .where('m.databaseId = :databaseId AND m.id <> :id', {
        databaseId: migration.databaseId,
        id: migration.id,
      })
      .andWhere('m.state NOT IN (:...ends)', { ends: [...MIGRATION_END_STATES, 'draft'] })
      .getExists();
    if (unfinished) throw new AppError('schema.busy');
    const number = migration.publishedNumber ?? migration.baseNumber;
    // The query omits the plans, which may have megabytes each.
    const later = await this.#rows.find({
      where: {
        databaseId: migration.databaseId,
        publishedNumber: MoreThan(number),
        state: In(['published', 'failed', 'cancelled']),
      },
      order: { publishedNumber: 'DESC' },
      select: { id: true, origin: true },
    });
    const existing = later.filter((row) => row.id !== migration.id && row.origin !== 'revert');
    if (existing.length === 0) return;
    throw new AppError('schema.not_possible', {
      detail:
        `${existing.length === 1 ? 'A later change builds' : `${existing.length} later changes build`} ` +
        'on this migration.',
      hint: 'Revert the newest migration first, or deploy an earlier revision.',
      extra: { migrations: existing.map((row) => row.id) },
    });
  }

  /** Returns the revision that was deployed before the migration. */
  async #revisionBefore(migration: MigrationRow): Promise<number> {
    const before = await this.#rows
      .createQueryBuilder('m')
      .where("m.databaseId = :databaseId AND m.origin <> 'direct' AND m.state IN ('published', 'reverted')", {
        databaseId: migration.databaseId,
      })
      .andWhere('m.publishedNumber <= :number AND m.id <> :id', {
        number: migration.baseNumber,
        id: migration.id,
      })
      .orderBy('m.publishedNumber', 'DESC')
      .getOne();
    return before?.revision ?? 0;
  }

  get #rows() {
    return this.db.cell.getRepository(MigrationRow);
  }
}

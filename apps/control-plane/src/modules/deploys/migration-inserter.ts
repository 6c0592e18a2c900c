import { Injectable } from '@nestjs/common';
import type { MigrationPlan } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import type { Snapshot } from '@rowhouse/schema-model';
import type { EntityManager } from 'typeorm';
import { MigrationRow } from '../../platform-db/entities/migration-row.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { WorkingSchemaStore } from '../schema/working-schema-store.js';

export interface MigrationsToInsert {
  readonly projectId: string;
  readonly accountId: string;
  readonly targets: readonly TenantDatabase[];
  /** The revision that the plans are based on. */
  readonly base: number;
  readonly plans: readonly MigrationPlan[];
  /** The new revision. Set when the deploy included a text. */
  readonly newRevision: {
    readonly snapshot: Snapshot;
    readonly statements: string;
    readonly mode: 'replace' | 'apply';
  } | null;
  /** Records the audit event of a migration in the transaction that inserts it. */
  readonly record: RecordMigration;
}

type RecordMigration = (
  manager: EntityManager,
  migrationId: string,
  databaseId: string,
  revision: number,
) => Promise<void>;

export interface RevertToInsert {
  readonly projectId: string;
  readonly accountId: string;
  readonly target: TenantDatabase;
  readonly plan: MigrationPlan;
  /** The revision that is the deployed one afterwards. */
  readonly revision: number;
  readonly revertsId: string;
  readonly record: RecordMigration;
}

/**
 * Stores accepted plans: the new revision and the journal rows, all or none. The plan contains its steps. The
 * worker writes them to the journal, together with its own steps (granting, publishing, waiting).
 */
@Injectable()
export class MigrationInserter {
  constructor(
    private readonly db: PlatformDb,
    private readonly schemas: WorkingSchemaStore,
  ) {}

  async insert(requested: MigrationsToInsert): Promise<{ revision: number; ids: string[] }> {
    return this.db.cellTransaction(async (manager) => {
      const { projectId, accountId: createdBy, newRevision } = requested;
      const revision =
        newRevision === null
          ? requested.base
          : await this.schemas.add(manager, { projectId, base: requested.base, createdBy, ...newRevision });
      const ids: string[] = [];
      for (const plan of requested.plans) {
        const target = requested.targets.find((tenantDatabase) => tenantDatabase.id === plan.database);
        if (target === undefined)
          throw new AppError('internal.defect', {
            internal: `a plan for ${plan.database}, which was not requested`,
          });
        await assertBase(manager, plan);
        ids.push(await this.#insertOne(manager, requested, target, plan, revision));
      }
      return { revision, ids };
    });
  }

  /** Queues the revert of a migration. */
  async insertRevert(requested: RevertToInsert): Promise<string> {
    return this.db.cellTransaction(async (manager) => {
      await assertBase(manager, requested.plan);
      return this.#insertOne(manager, requested, requested.target, requested.plan, requested.revision, {
        origin: 'revert',
        revertsId: requested.revertsId,
      });
    });
  }

  async #insertOne(
    manager: EntityManager,
    requested: Pick<MigrationsToInsert, 'projectId' | 'accountId' | 'record'>,
    target: TenantDatabase,
    plan: MigrationPlan,
    revision: number,
    more: Partial<Pick<MigrationRow, 'origin' | 'revertsId'>> = {},
  ): Promise<string> {
    const id = createId('mig');
    await manager.getRepository(MigrationRow).insert({
      id,
      cellId: this.db.cellId,
      projectId: requested.projectId,
      databaseId: target.id,
      serverId: target.serverId,
      revision,
      state: 'queued',
      baseNumber: plan.baseSnapshot,
      plan: JSON.stringify(plan),
      planHash: plan.hash,
      targetHash: plan.targetHash,
      createdBy: requested.accountId,
      ...more,
      createdAt: () => 'UTC_TIMESTAMP(3)',
    });
    await requested.record(manager, id, target.id, revision);
    return id;
  }
}

/** The row is locked, so nothing is published between this check and the commit. */
async function assertBase(manager: EntityManager, plan: MigrationPlan): Promise<void> {
  const row = await manager
    .getRepository(TenantDatabase)
    .findOne({ where: { id: plan.database }, lock: { mode: 'pessimistic_write' } });
  if (row !== null && row.deletedAt === null && row.snapshotNumber === plan.baseSnapshot) return;
  throw new AppError('schema.stale_base', {
    extra: { database: plan.database, snapshot: row?.snapshotNumber ?? 0 },
  });
}

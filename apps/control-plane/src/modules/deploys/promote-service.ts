import { Injectable } from '@nestjs/common';
import type { DeployAnswer, MigrationPlan, PromoteRequest } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { CallContext } from '../../access/call-context.js';
import { MigrationRow } from '../../platform-db/entities/migration-row.js';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { PlatformDb } from '../../platform-db/platform-db.js';
import { WorkingSchemaStore } from '../schema/working-schema-store.js';
import { DeployService } from './deploy-service.js';
import { SchemaPlanner } from './schema-planner.js';

const FROM = 'development';
const TO = 'production';

/** Takes the revision that one database runs to another. Its plan is made for that database, and may be another one. */
@Injectable()
export class PromoteService {
  constructor(
    private readonly db: PlatformDb,
    private readonly deploys: DeployService,
    private readonly schemas: WorkingSchemaStore,
    private readonly planner: SchemaPlanner,
  ) {}

  async promote(call: CallContext, request: PromoteRequest): Promise<DeployAnswer> {
    const projectId = call.project.id;
    const [from, to] = await this.deploys.chooseTargets(projectId, [{ database: request.from ?? FROM }, { database: request.to ?? TO }]);
    if (from === undefined || to === undefined) throw new AppError('schema.not_possible', { detail: 'A database is not promoted to itself.' });
    const revision = await this.#deployedRevision(from);
    const base = await this.schemas.find(projectId, revision);
    const { plans } = await this.planner.plan({ projectId, base: base.snapshot, mode: 'apply', sql: '', revision, targetIds: [to.id] });
    const [plan] = plans;
    if (plan !== undefined && plan.steps.length > 0 && !(request.confirm ?? []).includes(plan.hash)) await this.#assertSame(from, to, revision, plan);
    return this.deploys.deployFor(call, {
      revision, targets: [{ database: to.id }],
      ...(request.accept_loss === undefined ? {} : { accept_loss: request.accept_loss }),
      ...(request.confirm === undefined ? {} : { confirm: request.confirm }),
    });
  }

  async #deployedRevision(from: TenantDatabase): Promise<number> {
    const last = await this.#deployQuery(from).orderBy('m.publishedNumber', 'DESC').getOne();
    if (last === null) throw new AppError('schema.not_possible', { detail: `Nothing has been deployed to ${from.environment} yet.` });
    return last.revision;
  }

  /** The statements that led `from` from the revision of `to` to its own, against those that `to` would run. */
  async #assertSame(from: TenantDatabase, to: TenantDatabase, revision: number, plan: MigrationPlan): Promise<void> {
    const standing = (await this.#deployQuery(to).orderBy('m.publishedNumber', 'DESC').getOne())?.revision ?? 0;
    const rows = await this.#deployQuery(from).andWhere('m.revision > :standing AND m.revision <= :revision', { standing, revision }).orderBy('m.publishedNumber', 'ASC').getMany();
    const was = rows.flatMap((row) => (JSON.parse(row.plan) as MigrationPlan).steps.map(describe));
    const will = plan.steps.map(describe);
    if (JSON.stringify(was) === JSON.stringify(will)) return;
    throw new AppError('schema.needs_confirmation', {
      detail: `The plan for ${to.environment} is not what ran on ${from.environment}.`,
      hint: 'Look at the plan and send its hash in confirm.',
      extra: { plans: [plan], only_there: was.filter((text) => !will.includes(text)), only_here: will.filter((text) => !was.includes(text)) },
    });
  }

  #deployQuery(database: TenantDatabase) {
    return this.db.cell.getRepository(MigrationRow).createQueryBuilder('m').where("m.databaseId = :databaseId AND m.state = 'published' AND m.origin <> 'direct'", { databaseId: database.id });
  }
}

/** How a statement is made depends on the rows that a database holds, and may differ without a word. */
function describe(step: MigrationPlan['steps'][number]): string {
  return step.sql;
}

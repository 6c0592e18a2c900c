import { Injectable } from '@nestjs/common';
import type { DeployResponse, MigrationPlan, PromoteRequest } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { RequestContext } from '../../access/request-context.js';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { DeployService } from './deploy-service.js';
import { DeployedRevisions } from './deployed-revisions.js';

const FROM = 'development';
const TO = 'production';

/** Deploys the revision of one database to another. The plan is made for the target, so it may differ. */
@Injectable()
export class PromoteService {
  constructor(
    private readonly deployed: DeployedRevisions,
    private readonly deploys: DeployService,
  ) {}

  async promote(context: RequestContext, request: PromoteRequest): Promise<DeployResponse> {
    const projectId = context.project.id;
    const [from, to] = await this.deploys.chooseTargets(projectId, [
      { database: request.from ?? FROM },
      { database: request.to ?? TO },
    ]);
    if (from === undefined || to === undefined)
      throw new AppError('schema.not_possible', { detail: '`from` and `to` are the same database.' });
    const revision = await this.deployed.find(from.id);
    if (revision === null)
      throw new AppError('schema.not_possible', {
        detail: `Nothing has been deployed to ${from.environment} yet.`,
      });
    return this.deploys.deployFor(
      context,
      {
        revision,
        targets: [{ database: to.id }],
        ...(request.accept_loss === undefined ? {} : { accept_loss: request.accept_loss }),
        ...(request.confirm === undefined ? {} : { confirm: request.confirm }),
      },
      async ([plan]) => {
        if (plan === undefined || plan.steps.length === 0) return;
        if (request.plan !== undefined && request.plan !== plan.hash) throw planChanged(to, plan);
        if (!(request.confirm ?? []).includes(plan.hash)) await this.#assertSame(from, to, revision, plan);
      },
    );
  }

  /** Throws unless `to` would run the same statements that `from` has run since the revision of `to`. */
  async #assertSame(
    from: TenantDatabase,
    to: TenantDatabase,
    revision: number,
    plan: MigrationPlan,
  ): Promise<void> {
    const existing = (await this.deployed.find(to.id)) ?? 0;
    const rows = await this.deployed
      .query(from.id)
      .andWhere('m.revision > :standing AND m.revision <= :revision', { standing: existing, revision })
      .orderBy('m.publishedNumber', 'ASC')
      .getMany();
    const was = rows.flatMap((row) => (JSON.parse(row.plan) as MigrationPlan).steps.map(describe));
    const will = plan.steps.map(describe);
    if (JSON.stringify(was) === JSON.stringify(will)) return;
    throw new AppError('schema.needs_confirmation', {
      detail: `The plan for ${to.environment} differs from the migration that ran on ${from.environment}.`,
      hint: 'Review the plan, then send its hash in `confirm`.',
      extra: {
        plans: [plan],
        only_there: was.filter((text) => !will.includes(text)),
        only_here: will.filter((text) => !was.includes(text)),
      },
    });
  }
}

function planChanged(to: TenantDatabase, plan: MigrationPlan): AppError {
  return new AppError('schema.needs_confirmation', {
    detail: `The plan for ${to.environment} has changed since it was shown.`,
    hint: 'Review the new plan, then send its hash in `plan`.',
    extra: { plans: [plan] },
  });
}

/**
 * Returns the part of a step that is compared. How the statement runs is not compared, because it depends on
 * the rows of the database.
 */
function describe(step: MigrationPlan['steps'][number]): string {
  return step.sql;
}

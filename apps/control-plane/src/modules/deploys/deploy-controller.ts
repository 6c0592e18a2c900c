import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import {
  deployRequest,
  promoteRequest,
  type DeployResponse,
  type DeployRequest,
  type DiffResponse,
  type DriftResponse,
  type PromoteRequest,
} from '@rowhouse/contracts';
import { z } from 'zod';
import { roleOn } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import { deployResponse, diffResponse, driftResponse } from '../../response-schemas/migrations.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { DeployService } from './deploy-service.js';
import { DriftService } from './drift-service.js';
import { PromoteService } from './promote-service.js';

const diffQuery = z.strictObject({ database: z.string().max(40).optional() });

@Controller('api/projects/:id')
export class DeployController {
  constructor(
    private readonly deploys: DeployService,
    private readonly promotes: PromoteService,
    private readonly drift: DriftService,
  ) {}

  @Get('diff')
  @Route({
    id: 'diffSchema',
    costClass: 'plan',
    summary: 'Plan a deploy of the working schema for each database',
    access: roleOn('project', 'viewer'),
    query: diffQuery,
    answer: diffResponse,
  })
  diff(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', diffQuery)) query: z.infer<typeof diffQuery>,
  ): Promise<DiffResponse> {
    return this.deploys.diff(context.project.id, query.database);
  }

  @Get('drift')
  @Route({
    id: 'findDrift',
    costClass: 'read',
    summary: 'Compare the deployed schemas with their last deploys and with each other',
    access: roleOn('project', 'viewer'),
    answer: driftResponse,
  })
  findDrift(@Call() context: RequestContext): Promise<DriftResponse> {
    return this.drift.find(context.project.id);
  }

  @Post('promote')
  @Route({
    id: 'promoteSchema',
    costClass: 'plan',
    access: roleOn('project', 'developer'),
    body: promoteRequest,
    answer: deployResponse,
    status: 201,
    summary:
      'Deploy the revision of one database to another. If the plan differs from the migration that ' +
      'ran there, you must confirm it',
  })
  promote(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', promoteRequest)) body: PromoteRequest,
  ): Promise<DeployResponse> {
    return this.promotes.promote(context, body);
  }

  @Post('deploy')
  @Route({
    id: 'deploySchema',
    costClass: 'plan',
    summary: 'Deploy the working schema, optionally with more SQL. Returns the queued migrations',
    access: roleOn('project', 'developer'),
    body: deployRequest,
    answer: deployResponse,
    status: 201,
  })
  deploy(
    @Call() context: RequestContext,
    @Body(new ZodPipe('body', deployRequest)) body: DeployRequest,
  ): Promise<DeployResponse> {
    return this.deploys.deployFor(context, body);
  }
}

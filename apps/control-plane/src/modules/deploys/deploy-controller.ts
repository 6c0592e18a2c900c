import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { deployRequest, type DeployAnswer, type DeployRequest, type DiffAnswer } from '@rowhouse/contracts';
import { z } from 'zod';
import { roleOn } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { deployAnswer, diffAnswer } from '../../answers/answer-schemas.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { DeployService } from './deploy-service.js';

const diffQuery = z.strictObject({ database: z.string().max(40).optional() });

@Controller('api/projects/:id')
export class DeployController {
  constructor(private readonly deploys: DeployService) {}

  @Get('diff')
  @Route({ id: 'diffSchema', summary: 'What a deploy of the working schema would do, per database', access: roleOn('project', 'viewer'), query: diffQuery, answer: diffAnswer })
  diff(@Call() call: CallContext, @Query(new ZodPipe('query', diffQuery)) query: z.infer<typeof diffQuery>): Promise<DiffAnswer> {
    return this.deploys.diff(call.project.id, query.database);
  }

  @Post('deploy')
  @Route({ id: 'deploySchema', summary: 'Deploy the working schema, or SQL text on top of it; answers the queued migrations', access: roleOn('project', 'developer'), body: deployRequest, answer: deployAnswer, status: 201 })
  deploy(@Call() call: CallContext, @Body(new ZodPipe('body', deployRequest)) body: DeployRequest): Promise<DeployAnswer> {
    return this.deploys.deployFor(call, body);
  }
}

import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import { assignPlanRequest, type PlanName } from '@rowhouse/contracts';
import type { z } from 'zod';
import { OPERATOR } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import { planResponse } from '../../response-schemas/operator.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { PlanService, type PlanResponse } from './plan-service.js';

@Controller('api/admin/databases')
export class PlanController {
  constructor(private readonly plans: PlanService) {}

  @Get(':id')
  @Route({
    id: 'getDatabasePlan',
    summary: 'Get the plan and the storage of a database',
    access: OPERATOR,
    answer: planResponse,
  })
  get(@Param('id') id: string): Promise<PlanResponse> {
    return this.plans.get(id);
  }

  @Patch(':id')
  @Route({
    id: 'assignPlan',
    summary:
      'Set the plan of a database, which defines its storage quota and the retention of logs and usage',
    access: OPERATOR,
    body: assignPlanRequest,
    answer: planResponse,
  })
  assign(
    @Call() context: RequestContext,
    @Param('id') id: string,
    @Body(new ZodPipe('body', assignPlanRequest)) body: z.infer<typeof assignPlanRequest>,
  ): Promise<PlanResponse> {
    return this.plans.assign(context, id, body.plan satisfies PlanName);
  }
}

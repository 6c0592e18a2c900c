import { Controller, Get, Query } from '@nestjs/common';
import type { InsightsAnswer, LimitsAnswer, ListAnswer, RequestItem, UsageAnswer, UsageBreakdownAnswer } from '@rowhouse/contracts';
import type { z } from 'zod';
import { roleOn } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { insightsAnswer, limitsAnswer, listOf, requestItem, usageAnswer, usageBreakdownAnswer } from '../../answers/answer-schemas.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { LimitService } from './limit-service.js';
import { RequestLogService } from './request-log-service.js';
import { breakdownQuery, insightsQuery, requestsQuery, usageQuery, type BreakdownQuery, type RequestsQuery, type UsageQuery } from './telemetry-queries.js';
import { UsageBreakdownService } from './usage-breakdown-service.js';
import { UsageService } from './usage-service.js';

@Controller('api/databases/:id')
export class TelemetryController {
  constructor(
    private readonly usage: UsageService,
    private readonly breakdowns: UsageBreakdownService,
    private readonly limitLevels: LimitService,
    private readonly log: RequestLogService,
  ) {}

  @Get('usage')
  @Route({ id: 'listUsage', weight: 'read', summary: 'Requests, errors, rows and bytes by minute, hour or day, newest first, with totals and storage', access: roleOn('database', 'viewer'), query: usageQuery, answer: usageAnswer })
  readUsage(@Call() call: CallContext, @Query(new ZodPipe('query', usageQuery)) query: UsageQuery): Promise<UsageAnswer> {
    return this.usage.read(call.database, query);
  }

  @Get('usage/breakdown')
  @Route({ id: 'breakDownUsage', weight: 'read', summary: 'Requests of the last days by key or by table', access: roleOn('database', 'viewer'), query: breakdownQuery, answer: usageBreakdownAnswer })
  breakDown(@Call() call: CallContext, @Query(new ZodPipe('query', breakdownQuery)) query: BreakdownQuery): Promise<UsageBreakdownAnswer> {
    return this.breakdowns.read(call.database, query);
  }

  @Get('limits')
  @Route({ id: 'getLimits', summary: 'What the database may use, and how much of it is used', access: roleOn('database', 'viewer'), answer: limitsAnswer })
  readLimits(@Call() call: CallContext): Promise<LimitsAnswer> {
    return this.limitLevels.read(call.database);
  }

  @Get('requests')
  @Route({ id: 'listRequests', weight: 'read', summary: 'The request log, newest first; follow `next_cursor`, also from a page that is short', access: roleOn('database', 'developer'), query: requestsQuery, answer: listOf(requestItem) })
  listRequests(@Call() call: CallContext, @Query(new ZodPipe('query', requestsQuery)) query: RequestsQuery): Promise<ListAnswer<RequestItem>> {
    return this.log.list(call.database, query);
  }

  @Get('insights')
  @Route({ id: 'getInsights', weight: 'read', summary: 'Slow, failing and refused routes of the last hours; keys by their use', access: roleOn('database', 'developer'), query: insightsQuery, answer: insightsAnswer })
  getInsights(@Call() call: CallContext, @Query(new ZodPipe('query', insightsQuery)) query: z.infer<typeof insightsQuery>): Promise<InsightsAnswer> {
    return this.log.insights(call.database, query.hours);
  }
}

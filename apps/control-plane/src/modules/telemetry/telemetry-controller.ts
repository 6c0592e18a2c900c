import { Controller, Get, Query } from '@nestjs/common';
import type { InsightsAnswer, ListAnswer, RequestItem, UsageAnswer } from '@rowhouse/contracts';
import type { z } from 'zod';
import { roleOn } from '../../access/access-rule.js';
import { Call, CallContext } from '../../access/call-context.js';
import { insightsAnswer, listOf, requestItem, usageAnswer } from '../../answers/answer-schemas.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { RequestLogService } from './request-log-service.js';
import { insightsQuery, requestsQuery, usageQuery, type RequestsQuery, type UsageQuery } from './telemetry-queries.js';
import { UsageService } from './usage-service.js';

@Controller('api/databases/:id')
export class TelemetryController {
  constructor(
    private readonly usage: UsageService,
    private readonly log: RequestLogService,
  ) {}

  @Get('usage')
  @Route({ id: 'listUsage', summary: 'Requests, errors, rows and bytes by minute, hour or day, newest first, with totals and storage', access: roleOn('database', 'viewer'), query: usageQuery, answer: usageAnswer })
  readUsage(@Call() call: CallContext, @Query(new ZodPipe('query', usageQuery)) query: UsageQuery): Promise<UsageAnswer> {
    return this.usage.read(call.database, query);
  }

  @Get('requests')
  @Route({ id: 'listRequests', summary: 'The request log, newest first; follow `next_cursor`, also from a page that is short', access: roleOn('database', 'developer'), query: requestsQuery, answer: listOf(requestItem) })
  listRequests(@Call() call: CallContext, @Query(new ZodPipe('query', requestsQuery)) query: RequestsQuery): Promise<ListAnswer<RequestItem>> {
    return this.log.list(call.database, query);
  }

  @Get('insights')
  @Route({ id: 'getInsights', summary: 'Slow, failing and refused routes of the last hours; keys by their use', access: roleOn('database', 'developer'), query: insightsQuery, answer: insightsAnswer })
  getInsights(@Call() call: CallContext, @Query(new ZodPipe('query', insightsQuery)) query: z.infer<typeof insightsQuery>): Promise<InsightsAnswer> {
    return this.log.insights(call.database, query.hours);
  }
}

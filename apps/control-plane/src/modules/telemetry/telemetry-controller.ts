import { Controller, Get, Query } from '@nestjs/common';
import type {
  InsightsResponse,
  LimitsResponse,
  ListResponse,
  RequestItem,
  UsageResponse,
  UsageBreakdownResponse,
} from '@rowhouse/contracts';
import type { z } from 'zod';
import { roleOn } from '../../access/access-rule.js';
import { Call, RequestContext } from '../../access/request-context.js';
import {
  insightsResponse,
  limitsResponse,
  requestItem,
  usageResponse,
  usageBreakdownResponse,
} from '../../response-schemas/telemetry.js';
import { listOf } from '../../response-schemas/shared.js';
import { Route } from '../../http/route-spec.js';
import { ZodPipe } from '../../http/zod-pipe.js';
import { LimitService } from './limit-service.js';
import { RequestLogService } from './request-log-service.js';
import {
  breakdownQuery,
  insightsQuery,
  requestsQuery,
  usageQuery,
  type BreakdownQuery,
  type RequestsQuery,
  type UsageQuery,
} from './telemetry-queries.js';
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
  @Route({
    id: 'listUsage',
    costClass: 'read',
    summary: 'Requests, errors, rows and bytes by minute, hour or day, newest first, with totals and storage',
    access: roleOn('database', 'viewer'),
    query: usageQuery,
    answer: usageResponse,
  })
  readUsage(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', usageQuery)) query: UsageQuery,
  ): Promise<UsageResponse> {
    return this.usage.read(context.database, query);
  }

  @Get('usage/breakdown')
  @Route({
    id: 'breakDownUsage',
    costClass: 'read',
    summary: 'Requests of the last days by key or by table',
    access: roleOn('database', 'viewer'),
    query: breakdownQuery,
    answer: usageBreakdownResponse,
  })
  breakDown(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', breakdownQuery)) query: BreakdownQuery,
  ): Promise<UsageBreakdownResponse> {
    return this.breakdowns.read(context.database, query);
  }

  @Get('limits')
  @Route({
    id: 'getLimits',
    summary: 'What the database may use, and how much of it is used',
    access: roleOn('database', 'viewer'),
    answer: limitsResponse,
  })
  readLimits(@Call() context: RequestContext): Promise<LimitsResponse> {
    return this.limitLevels.read(context.database);
  }

  @Get('requests')
  @Route({
    id: 'listRequests',
    costClass: 'read',
    summary: 'The request log, newest first; follow `next_cursor`, also from a page that is short',
    access: roleOn('database', 'developer'),
    query: requestsQuery,
    answer: listOf(requestItem),
  })
  listRequests(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', requestsQuery)) query: RequestsQuery,
  ): Promise<ListResponse<RequestItem>> {
    return this.log.list(context.database, query);
  }

  @Get('insights')
  @Route({
    id: 'getInsights',
    costClass: 'read',
    summary: 'Slow, failing and refused routes of the last hours; keys by their use',
    access: roleOn('database', 'developer'),
    query: insightsQuery,
    answer: insightsResponse,
  })
  getInsights(
    @Call() context: RequestContext,
    @Query(new ZodPipe('query', insightsQuery)) query: z.infer<typeof insightsQuery>,
  ): Promise<InsightsResponse> {
    return this.log.insights(context.database, query.hours);
  }
}

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
    summary:
      'Get requests, errors, rows and bytes by minute, hour or day, newest first, with totals and ' +
      'storage',
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
    summary: 'Get the requests of the last days by key or by table',
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
    summary: 'Get the limits of the database and their current use',
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
    summary:
      'List the request log, newest first. Follow `next_cursor` until it is null, even after a ' +
      'short page',
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
    summary: 'Get the slow, failing and rejected routes of the last hours, and the keys by use',
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

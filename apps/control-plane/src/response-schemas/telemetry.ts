import { type UsageResponse, type RequestItem, type InsightsResponse } from '@rowhouse/contracts';
import type { LimitsResponse, UsageBreakdownResponse } from '@rowhouse/contracts';
import { z } from 'zod';
import { listOf, time, type Shape, id } from './shared.js';

const counts = {
  requests: z.number().int(),
  errors: z.number().int(),
  limited: z.number().int(),
  rows_out: z.number().int(),
  bytes_out: z.number().int(),
  mean_ms: z.number(),
};

export const usageResponse = listOf(z.object({ at: time, ...counts })).extend({
  from: time,
  to: time,
  totals: z.object(counts),
  storage: z.object({
    bytes: z.number().int(),
    bytes_max: z.number().int().nullable(),
    measured_at: time.nullable(),
    is_full: z.boolean(),
  }),
}) satisfies Shape<UsageResponse>;

export const usageBreakdownResponse = z.object({
  by: z.enum(['key', 'table']),
  since: z.iso.date(),
  items: z.array(
    z.object({
      id: z.string().nullable(),
      name: z.string(),
      requests: z.number().int(),
      days: z.array(z.object({ day: z.iso.date(), requests: z.number().int() })),
    }),
  ),
}) satisfies Shape<UsageBreakdownResponse>;

export const limitsResponse = z.object({
  plan: z.string(),
  limited_today: z.number().int(),
  items: z.array(
    z.object({
      name: z.string(),
      unit: z.enum(['bytes', 'requests_per_second', 'tokens']),
      used: z.number().nullable(),
      max: z.number().nullable(),
      resets_at: time.nullable(),
      is_reached: z.boolean(),
    }),
  ),
}) satisfies Shape<LimitsResponse>;

export const requestItem = z.object({
  id,
  at: time,
  request_id: z.string(),
  key_id: id.nullable(),
  key_name: z.string().nullable(),
  method: z.string(),
  route: z.string(),
  status: z.number().int(),
  code: z.string(),
  duration_ms: z.number(),
  rows_out: z.number().int(),
  shape: z.string().nullable(),
}) satisfies Shape<RequestItem>;

const keyInsight = z.object({
  id,
  name: z.string(),
  requests: z.number().int(),
  last_used_at: time.nullable(),
});

export const insightsResponse = z.object({
  since: time,
  sampled: z.number().int(),
  routes: z.array(
    z.object({
      route: z.string(),
      requests: z.number().int(),
      errors: z.number().int(),
      refused: z.number().int(),
      mean_ms: z.number(),
      p50_ms: z.number(),
      p95_ms: z.number(),
      rows_out: z.number().int(),
    }),
  ),
  codes: z.array(z.object({ code: z.string(), status: z.number().int(), count: z.number().int() })),
  keys: z.array(keyInsight),
  unused_keys: z.array(keyInsight),
  slow_shapes: z.array(
    z.object({
      table: z.string(),
      asked: z.string(),
      requests: z.number().int(),
      mean_ms: z.number(),
      index_sql: z.string().nullable(),
    }),
  ),
}) satisfies Shape<InsightsResponse>;

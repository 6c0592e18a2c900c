import { z } from 'zod';

const instant = z.iso.datetime({ offset: true });

export const usageQuery = z.strictObject({
  step: z.enum(['minute', 'hour', 'day']).default('hour'),
  from: instant.optional(),
  to: instant.optional(),
  limit: z.coerce.number().int().min(1).max(1_500).default(200),
  cursor: instant.optional(),
});

export const requestsQuery = z.strictObject({
  /** A status such as `404`, or a class such as `4xx`. */
  status: z
    .string()
    .regex(/^[1-5](\d\d|xx)$/)
    .optional(),
  method: z.string().max(10).optional(),
  /** A route as in the log, such as `GET /posts/{id}`. */
  route: z.string().max(200).optional(),
  key: z.string().max(40).optional(),
  code: z.string().max(64).optional(),
  /** Only requests that the console sent for its users, or only all others. */
  source: z.enum(['api', 'console']).optional(),
  since: instant.optional(),
  until: instant.optional(),
  /** The `X-Request-Id` of the response. */
  request: z.string().max(64).optional(),
  /** Only requests that took at least this long. */
  slow_ms: z.coerce.number().min(0).max(3_600_000).optional(),
  /** The position after which lines are returned, for lines that are newer than the previous page. */
  after: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional(),
});

export const insightsQuery = z.strictObject({ hours: z.coerce.number().int().min(1).max(336).default(24) });

export const breakdownQuery = z.strictObject({
  by: z.enum(['key', 'table']),
  days: z.coerce.number().int().min(1).max(30).default(14),
});

export type BreakdownQuery = z.infer<typeof breakdownQuery>;
export type UsageQuery = z.infer<typeof usageQuery>;
export type RequestsQuery = z.infer<typeof requestsQuery>;

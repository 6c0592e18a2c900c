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
  /** `404`, or a whole class: `4xx`. */
  status: z.string().regex(/^[1-5](\d\d|xx)$/).optional(),
  method: z.string().max(10).optional(),
  /** As the log names it: `GET /posts/{id}`. */
  route: z.string().max(200).optional(),
  key: z.string().max(40).optional(),
  code: z.string().max(64).optional(),
  since: instant.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().regex(/^\d{1,20}$/).optional(),
});

export const insightsQuery = z.strictObject({ hours: z.coerce.number().int().min(1).max(336).default(24) });

export type UsageQuery = z.infer<typeof usageQuery>;
export type RequestsQuery = z.infer<typeof requestsQuery>;

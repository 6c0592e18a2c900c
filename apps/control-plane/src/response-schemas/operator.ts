import { MOVE_STATES, PLAN_NAMES } from '@rowhouse/contracts';
import { z } from 'zod';
import { id, time } from './shared.js';
import { failure } from './migrations.js';

export const planResponse = z.object({
  database: id,
  plan: z.enum(PLAN_NAMES),
  storage_bytes: z.number().int(),
  storage_bytes_max: z.number().int().nullable(),
  storage_measured_at: time.nullable(),
  is_full: z.boolean(),
  request_log_days: z.number().int(),
  usage_days: z.number().int(),
});

export const moveResponse = z.object({
  id,
  database: id,
  from_server: id,
  to_server: id,
  state: z.enum(MOVE_STATES),
  rows_done: z.number().int(),
  rows_total: z.number().int(),
  switches: z.number().int(),
  pause_ms: z.number().int().nullable(),
  error: failure.nullable(),
  is_cancelled: z.boolean(),
  created_at: time,
  started_at: time.nullable(),
  switched_at: time.nullable(),
  finished_at: time.nullable(),
});

export const routesResponse = z.object({
  gateways: z.array(z.string()),
  items: z.array(
    z.object({
      slot: z.string(),
      requests_per_second: z.number(),
      kind: z.enum(['one', 'spread']),
      gateways: z.array(z.string()),
    }),
  ),
});

export const serverResponse = z.object({
  id,
  name: z.string(),
  host: z.string(),
  port: z.number().int(),
  admin_port: z.number().int().nullable(),
  nodes: z.array(
    z.object({
      host: z.string(),
      port: z.number().int(),
      admin_port: z.number().int().nullable().optional(),
    }),
  ),
  public_host: z.string(),
  public_port: z.number().int(),
  tls: z.enum(['off', 'required']),
  public_tls: z.enum(['off', 'required']),
  engine: z.string(),
  engine_version: z.string(),
  state: z.enum(['active', 'draining']),
  is_probed: z.boolean(),
  advice: z.array(z.string()),
  databases: z.number().int(),
  databases_max: z.number().int(),
  storage_bytes_max: z.number().int().nullable(),
  direct_connections_max: z.number().int().nullable(),
  organization: z.string().nullable(),
  created_at: time,
});

import {
  SCOPES,
  type ConnectionResponse,
  type ConnectionTestResponse,
  type CreatedConnectionResponse,
  type SessionKeyResponse,
} from '@rowhouse/contracts';
import { z } from 'zod';
import { id, rate, time, type Shape } from './shared.js';

const verbs = z.array(z.enum(['read', 'write', 'delete']));

export const keyResponse = z.object({
  id,
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  tables: z.record(z.string(), verbs).nullable(),
  origins: z.array(z.string()).nullable(),
  rate: rate.nullable(),
  rows_examined_max: z.number().int().nullable(),
  last4: z.string(),
  created_at: time,
  created_by: id,
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
  replaced_by: id.nullable(),
});

export const createdKeyResponse = keyResponse.extend({ secret: z.string() });

export const rotatedKeyResponse = createdKeyResponse.extend({ previous: keyResponse });

export const sessionKeyResponse = z.object({
  id,
  secret: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  expires_at: time,
}) satisfies Shape<SessionKeyResponse>;

export const connectionResponse = z.object({
  id,
  name: z.string(),
  role: z.enum(['owner', 'read-write', 'read-only']),
  host: z.string(),
  port: z.number().int(),
  database: z.string(),
  user: z.string(),
  tls: z.boolean(),
  ca: z.string().nullable(),
  created_at: time,
  expires_at: time.nullable(),
  previous_until: time.nullable(),
}) satisfies Shape<ConnectionResponse>;

export const connectionTestResponse = z.object({
  fault: z.enum(['password', 'locked', 'sessions', 'other']).nullable(),
  reaches_address: z.boolean(),
  server_version: z.string().nullable(),
  tables: z.int().nullable(),
  took_ms: z.number(),
}) satisfies Shape<ConnectionTestResponse>;

export const createdConnectionResponse = connectionResponse.extend({
  connection_string: z.string(),
  password: z.string(),
}) satisfies Shape<CreatedConnectionResponse>;

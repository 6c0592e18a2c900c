import type {
  CreatedShareResponse,
  SeedResponse,
  ShareResponse,
  SharePreviewResponse,
  TransferFileResponse,
} from '@rowhouse/contracts';
import { z } from 'zod';
import { databaseResponse, projectResponse } from './databases.js';
import { failure, migrationResponse } from './migrations.js';
import { id, time, type Shape } from './shared.js';

const count = z.number().int();
const tables = z.array(z.object({ name: z.string(), rows: count }));
const fileState = z.enum(['writing', 'ready', 'failed']);

export const transferFileResponse = z.object({
  id,
  kind: z.enum(['export', 'import', 'share']),
  state: fileState,
  database: id.nullable(),
  bytes: count,
  rows: count,
  tables,
  notes: z.array(z.string()),
  problems: z.array(z.object({ line: count, object: z.string(), reason: z.string() })),
  problems_total: count,
  revision: count.nullable(),
  error: z.object({ code: z.string(), detail: z.string() }).nullable(),
  created_at: time,
  finished_at: time.nullable(),
  expires_at: time.nullable(),
}) satisfies Shape<TransferFileResponse>;

export const loadResponse = z.object({
  id,
  kind: z.enum(['restore', 'rows']),
  state: z.enum(['queued', 'running', 'verifying', 'done', 'failed', 'cancelled']),
  database: id,
  file: id,
  rows_done: count,
  rows_total: count,
  notes: z.array(z.string()),
  error: failure.nullable(),
  created_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
});

export const restoredResponse = z.object({ database: databaseResponse, load: loadResponse });

export const seedResponse = z.object({
  seed: z.string(),
  rows: count,
  tables: z.array(z.object({ name: z.string(), rows: count, reason: z.string().nullable() })),
}) satisfies Shape<SeedResponse>;

export const shareResponse = z.object({
  id,
  name: z.string(),
  data: z.boolean(),
  state: fileState,
  tables,
  clones: count,
  created_at: time,
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
}) satisfies Shape<ShareResponse>;
export const createdShareResponse = shareResponse.extend({
  token: z.string(),
  url: z.string(),
}) satisfies Shape<CreatedShareResponse>;
export const sharePreviewResponse = z.object({
  name: z.string(),
  data: z.boolean(),
  tables,
  sql: z.string(),
  expires_at: time.nullable(),
}) satisfies Shape<SharePreviewResponse>;
export const clonedResponse = projectResponse.extend({
  load: loadResponse.nullable(),
  migrations: z.array(migrationResponse),
});

import type {
  CreatedShareResponse,
  LoadResponse,
  SeedResponse,
  ShareResponse,
  SharePreviewResponse,
  TransferFileResponse,
} from '@rowhouse/contracts';
import { z } from 'zod';
import { databaseAnswer, migrationAnswer, projectAnswer } from './answer-schemas.js';

type Shape<T> = z.ZodType<T>;

const time = z.iso.datetime();
const id = z.string();
const count = z.number().int();
const tables = z.array(z.object({ name: z.string(), rows: count }));
const fileState = z.enum(['writing', 'ready', 'failed']);

export const transferFileAnswer = z.object({
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

export const loadAnswer = z.object({
  id,
  kind: z.enum(['restore', 'rows']),
  state: z.enum(['queued', 'running', 'verifying', 'done', 'failed', 'cancelled']),
  database: id,
  file: id,
  rows_done: count,
  rows_total: count,
  notes: z.array(z.string()),
  error: z
    .object({
      code: z.string(),
      detail: z.string(),
      hint: z.string().optional(),
      extra: z.record(z.string(), z.unknown()).readonly().optional(),
    })
    .nullable(),
  created_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
});
const says: z.output<typeof loadAnswer> | null = null as LoadResponse | null;
void says;

export const restoredAnswer = z.object({ database: databaseAnswer, load: loadAnswer });

export const seedAnswer = z.object({
  seed: z.string(),
  rows: count,
  tables: z.array(z.object({ name: z.string(), rows: count, reason: z.string().nullable() })),
}) satisfies Shape<SeedResponse>;

export const shareAnswer = z.object({
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
export const createdShareAnswer = shareAnswer.extend({
  token: z.string(),
  url: z.string(),
}) satisfies Shape<CreatedShareResponse>;
export const sharePreviewAnswer = z.object({
  name: z.string(),
  data: z.boolean(),
  tables,
  sql: z.string(),
  expires_at: time.nullable(),
}) satisfies Shape<SharePreviewResponse>;
export const clonedAnswer = projectAnswer.extend({
  load: loadAnswer.nullable(),
  migrations: z.array(migrationAnswer),
});

import {
  type DirectAccessResponse,
  type EngineItem,
  type SynonymResponse,
  type ValueIndexResponse,
} from '@rowhouse/contracts';
import { z } from 'zod';
import { type Shape, id, rate, time } from './shared.js';

const engineKind = z.enum(['mariadb', 'mysql']);

export const engineItem = z.object({
  engine: engineKind,
  versions: z.array(z.string()),
  is_default: z.boolean(),
}) satisfies Shape<EngineItem>;

const directNotes = z.array(z.object({ name: z.string(), text: z.string() }));

export const directAccessResponse = z.object({
  engine: engineKind.nullable(),
  engine_version: z.string().nullable(),
  limits: directNotes,
  tools: directNotes,
}) satisfies Shape<DirectAccessResponse>;

export const databaseResponse = z.object({
  id,
  project_id: id,
  environment: z.string(),
  docs_slug: z.string(),
  docs_url: z.string(),
  base_url: z.string(),
  region: z.string().nullable(),
  engine: engineKind.nullable(),
  engine_version: z.string().nullable(),
  state: z.enum(['pending', 'ready', 'failed']),
  snapshot_number: z.number().int(),
  settings: z.object({
    unknown_fields: z.enum(['reject', 'ignore']),
    require_limit: z.boolean(),
    require_if_match: z.array(z.string()),
    docs_enabled: z.boolean(),
    docs_page: z
      .object({
        title: z.string().nullable(),
        intro: z.string().nullable(),
        accent_color: z.string().nullable(),
        logo: z.string().nullable(),
      })
      .nullable(),
    license: z
      .object({ name: z.string(), identifier: z.string().optional(), url: z.string().optional() })
      .nullable(),
    regex_enabled: z.boolean(),
    time_zone: z.string(),
    hidden_columns: z.record(z.string(), z.array(z.string())),
    unindexed_columns: z.record(z.string(), z.array(z.string())),
    allowed_origins: z.array(z.string()).nullable(),
    number_columns: z.record(z.string(), z.array(z.string())),
    rate: rate.nullable(),
    rows_examined_max: z.number().int().nullable(),
    end_idle_transactions_after_seconds: z.number().int().nullable(),
    language_model: z.boolean(),
    language_model_tokens_per_day: z.number().int().nullable(),
    question_history: z.boolean(),
    backup_every_hours: z.number().int().nullable(),
  }),
  created_at: time,
  missing_since: time.nullable(),
});

export const projectResponse = z.object({
  id,
  organization_id: id,
  name: z.string(),
  created_at: time,
  databases: z.array(databaseResponse),
});

export const projectItem = projectResponse.extend({ last_call_at: time.nullable() });

export const synonymResponse = z.object({
  id,
  phrase: z.string(),
  table: z.string(),
  column: z.string().nullable(),
  is_known: z.boolean(),
  created_at: time,
}) satisfies Shape<SynonymResponse>;

export const valueIndexResponse = z.object({
  checked_at: time.nullable(),
  version: z.number().int(),
  columns: z.number().int(),
  values: z.number().int(),
  bytes: z.number().int(),
}) satisfies Shape<ValueIndexResponse>;

export const codeResponse = z.object({
  language: z.enum(['python', 'typescript']),
  database: id,
  snapshot: z.number().int(),
  files: z.array(z.object({ path: z.string(), owner: z.enum(['generated', 'own']), text: z.string() })),
});

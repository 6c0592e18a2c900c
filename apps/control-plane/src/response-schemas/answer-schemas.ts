import {
  MIGRATION_STATES,
  MOVE_STATES,
  PLAN_NAMES,
  SCOPES,
  type AccountResponse,
  type EndedResponse,
  type ConnectionResponse,
  type ConnectionTestResponse,
  type CreatedConnectionResponse,
  type CreatedKeyResponse,
  type DatabaseResponse,
  type DeployResponse,
  type DiffResponse,
  type DirectAccessResponse,
  type DriftResponse,
  type EditedSchemaResponse,
  type EngineItem,
  type TakenSchemaResponse,
  type ProposalResponse,
  type TableStructureResponse,
  type SoftDeletedResponse,
  type MigrationStepResponse,
  type KeyResponse,
  type MigrationResponse,
  type OrganizationResponse,
  type ProjectResponse,
  type SessionResponse,
  type SessionKeyResponse,
  type SignupResponse,
  type SynonymResponse,
  type TokenResponse,
  type ValueIndexResponse,
  type UsageResponse,
  type RequestItem,
  type InsightsResponse,
  type RevisionItem,
  type WorkingSchemaResponse,
} from '@rowhouse/contracts';
import type { LimitsResponse, MailResponse, SqlFileFrame, UsageBreakdownResponse } from '@rowhouse/contracts';
import { z } from 'zod';

/**
 * The response types of the contracts as schemas. They are only used in the API description, not to validate
 * responses. The compiler checks each schema against its type.
 */
type Shape<T> = z.ZodType<T>;

const time = z.iso.datetime();
const id = z.string();
const role = z.enum(['owner', 'admin', 'developer', 'viewer']);
const rate = z.object({ per_second: z.number(), burst: z.number().int() });

export const endedAnswer = z.object({
  sessions_ended: z.int(),
  tokens_ended: z.int(),
}) satisfies Shape<EndedResponse>;
export const accountAnswer = z.object({
  id,
  email: z.string(),
  name: z.string(),
  is_operator: z.boolean(),
  email_verified: z.boolean(),
  wants_notices: z.boolean(),
}) satisfies Shape<AccountResponse>;
export const organizationAnswer = z.object({
  id,
  name: z.string(),
  role,
}) satisfies Shape<OrganizationResponse>;

const engineKind = z.enum(['mariadb', 'mysql']);
export const engineItem = z.object({
  engine: engineKind,
  versions: z.array(z.string()),
  is_default: z.boolean(),
}) satisfies Shape<EngineItem>;

const directNotes = z.array(z.object({ name: z.string(), text: z.string() }));
export const directAccessAnswer = z.object({
  engine: engineKind.nullable(),
  engine_version: z.string().nullable(),
  limits: directNotes,
  tools: directNotes,
}) satisfies Shape<DirectAccessResponse>;

export const databaseAnswer = z.object({
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
export const projectAnswer = z.object({
  id,
  organization_id: id,
  name: z.string(),
  created_at: time,
  databases: z.array(databaseAnswer),
});
export const projectItem = projectAnswer.extend({ last_call_at: time.nullable() });

const apiImpact = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.string()),
  usedBy: z.array(
    z.object({
      what: z.string(),
      keys: z.array(z.object({ id, name: z.string(), lastUsedAt: time, requests: z.number().int() })),
    }),
  ),
});
const renameHint = z.union([
  z.object({ kind: z.literal('table'), from: z.string(), to: z.string() }),
  z.object({ kind: z.literal('column'), table: z.string(), from: z.string(), to: z.string() }),
]);
const migrationStep = z.object({
  kind: z.string(),
  table: z.string(),
  sql: z.string(),
  class: z.string(),
  strategy: z.string(),
  reversible: z.boolean(),
  loss: z.array(z.string()),
  lock: z.string(),
  rowsToRewrite: z.number().int(),
  beforePublish: z.string().nullable(),
  afterPublish: z.string().nullable(),
  rowChecks: z.array(
    z.object({
      table: z.string().optional(),
      problem: z.string(),
      sql: z.string(),
      shows: z.array(z.string()),
    }),
  ),
  side: z.enum(['beforePublish', 'afterPublish']),
  details: z.record(z.string(), z.unknown()).nullable(),
});
export const migrationPlan = z.object({
  database: id,
  environment: z.string(),
  baseSnapshot: z.number().int(),
  steps: z.array(migrationStep),
  loss: z.array(z.string()),
  impact: apiImpact,
  needsRebuild: z.array(z.object({ table: z.string(), sql: z.string(), rows: z.number().int() })),
  hints: z.array(renameHint),
  possibleRenames: z.array(renameHint),
  notes: z.array(z.string()),
  drift: z.array(z.string()),
  targetNumber: z.number().int().nullable(),
  hash: z.string(),
  targetHash: z.string(),
});
export const migrationAnswer = z.object({
  id,
  database: id,
  environment: z.string(),
  state: z.enum(MIGRATION_STATES),
  revision: z.number().int(),
  progress: z.number(),
  base_snapshot: z.number().int(),
  published_snapshot: z.number().int().nullable(),
  plan: migrationPlan,
  origin: z.enum(['deploy', 'revert', 'direct', 'restore']),
  reverts: id.nullable(),
  by: z.object({ kind: z.enum(['account', 'connection']), id, name: z.string() }).nullable(),
  rows_done: z.number().int().nullable(),
  rows_total: z.number().int().nullable(),
  eta_seconds: z.number().int().nullable(),
  duration_ms: z.number().int().nullable(),
  error: z
    .object({
      code: z.string(),
      detail: z.string(),
      hint: z.string().optional(),
      extra: z.record(z.string(), z.unknown()).optional(),
    })
    .nullable(),
  created_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
});
export const migrationStepAnswer = z.object({
  ordinal: z.number().int(),
  kind: z.string(),
  table: z.string(),
  statement: z.string(),
  strategy: z.string(),
  state: z.string(),
  started_at: time.nullable(),
  finished_at: time.nullable(),
  duration_ms: z.number().int().nullable(),
}) satisfies Shape<MigrationStepResponse>;
export const keptAnswer = z.object({
  id,
  migration: id,
  kind: z.enum(['table', 'column']),
  table: z.string(),
  column: z.string().nullable(),
  kept_at: time,
  expires_at: time,
}) satisfies Shape<SoftDeletedResponse>;
export const driftAnswer = z.object({
  revision: z.number().int(),
  databases: z.array(
    z.object({
      database: id,
      environment: z.string(),
      snapshot: z.number().int(),
      revision: z.number().int(),
      direct: z.array(z.string()),
      differs: z.array(z.object({ object: z.string(), how: z.enum(['only_here', 'missing_here', 'other']) })),
    }),
  ),
}) satisfies Shape<DriftResponse>;
export const deployAnswer = z.object({
  revision: z.number().int(),
  migrations: z.array(migrationAnswer),
  notes: z.array(z.string()),
});
export const diffAnswer = z.object({ revision: z.number().int(), plans: z.array(migrationPlan) });

export const signupAnswer = z.object({
  account: accountAnswer,
  organization: organizationAnswer,
  project: projectAnswer,
  databases: z.array(databaseAnswer),
  api_key: z.string(),
  csrf_token: z.string(),
  migrations: z.array(migrationAnswer).optional(),
});
export const sessionAnswer = z.object({
  account: accountAnswer,
  organizations: z.array(organizationAnswer),
  csrf_token: z.string(),
}) satisfies Shape<SessionResponse>;
export const sessionListItem = z.object({
  id,
  user_agent: z.string(),
  address: z.string(),
  created_at: time,
  last_seen_at: time,
  expires_at: time,
  is_current: z.boolean(),
});

export const tokenAnswer = z.object({
  id,
  name: z.string(),
  token: z.string(),
  expires_at: time.nullable(),
}) satisfies Shape<TokenResponse>;
export const tokenListItem = z.object({
  id,
  name: z.string(),
  last4: z.string(),
  created_at: time,
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
});

const verbs = z.array(z.enum(['read', 'write', 'delete']));
export const keyAnswer = z.object({
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
export const createdKeyAnswer = keyAnswer.extend({ secret: z.string() });
export const rotatedKeyAnswer = createdKeyAnswer.extend({ previous: keyAnswer });
export const sessionKeyAnswer = z.object({
  id,
  secret: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  expires_at: time,
}) satisfies Shape<SessionKeyResponse>;

export const connectionAnswer = z.object({
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
export const connectionTestAnswer = z.object({
  fault: z.enum(['password', 'locked', 'sessions', 'other']).nullable(),
  reaches_address: z.boolean(),
  server_version: z.string().nullable(),
  tables: z.int().nullable(),
  took_ms: z.number(),
}) satisfies Shape<ConnectionTestResponse>;
export const createdConnectionAnswer = connectionAnswer.extend({
  connection_string: z.string(),
  password: z.string(),
}) satisfies Shape<CreatedConnectionResponse>;

const sqlFileFrame = z.object({ head: z.string(), tail: z.string() }) satisfies Shape<SqlFileFrame>;
export const workingSchemaAnswer = z.object({
  revision: z.number().int(),
  sql: z.string(),
  file_frame: sqlFileFrame,
  notes: z.array(z.string()),
  tables: z.array(z.unknown()),
  updated_at: time.nullable(),
  undo_revision: z.number().int().nullable(),
  redo_revision: z.number().int().nullable(),
}) satisfies Shape<WorkingSchemaResponse>;
export const revisionItem = z.object({
  revision: z.number().int(),
  created_at: time,
  by: z.object({ id, name: z.string() }).nullable(),
  statements: z.string(),
  restores: z.number().int().nullable(),
  deployed_to: z.array(z.string()),
}) satisfies Shape<RevisionItem>;

export const editedSchemaAnswer = workingSchemaAnswer.extend({
  statements: z.array(z.string()),
}) satisfies Shape<EditedSchemaResponse>;
export const takenSchemaAnswer = workingSchemaAnswer.extend({
  taken: z.array(z.string()),
}) satisfies Shape<TakenSchemaResponse>;
export const proposalAnswer = z.object({
  revision: z.number().int(),
  source: z.enum(['model', 'rules']),
  sql: z.string(),
  statements: z.array(z.string()),
  loss: z.array(z.string()),
  impact: apiImpact,
  notes: z.array(z.string()),
}) satisfies Shape<ProposalResponse>;

export const schemaPreviewAnswer = z.object({
  revision: z.number().int(),
  statements: z.array(z.string()),
  notes: z.array(z.string()),
  tables: z.array(z.unknown()),
  plans: z.array(migrationPlan),
});
const foreignKeyStructure = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  to: z.string(),
  to_columns: z.array(z.string()),
  on_delete: z.string(),
  on_update: z.string(),
});
export const tableStructureAnswer = z.object({
  revision: z.number().int(),
  name: z.string(),
  kind: z.enum(['table', 'view']),
  comment: z.string(),
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      nullable: z.boolean(),
      default: z.union([
        z.object({ kind: z.enum(['none', 'null']) }),
        z.object({ kind: z.enum(['literal', 'expression']), text: z.string() }),
      ]),
      auto_increment: z.boolean(),
      unique: z.boolean(),
      comment: z.string(),
      generated: z.enum(['virtual', 'stored']).nullable(),
      definition: z.string(),
    }),
  ),
  primary_key: z.array(z.string()),
  indexes: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['plain', 'unique', 'fulltext', 'spatial', 'vector']),
      columns: z.array(z.string()),
    }),
  ),
  foreign_keys: z.array(foreignKeyStructure),
  referenced_by: z.array(foreignKeyStructure.extend({ table: z.string() })),
  checks: z.array(z.object({ name: z.string(), expression: z.string() })),
  triggers: z.array(z.string()),
  sql: z.string(),
}) satisfies Shape<TableStructureResponse>;

export const synonymAnswer = z.object({
  id,
  phrase: z.string(),
  table: z.string(),
  column: z.string().nullable(),
  is_known: z.boolean(),
  created_at: time,
}) satisfies Shape<SynonymResponse>;
export const valueIndexAnswer = z.object({
  checked_at: time.nullable(),
  version: z.number().int(),
  columns: z.number().int(),
  values: z.number().int(),
  bytes: z.number().int(),
}) satisfies Shape<ValueIndexResponse>;

export const memberCredentialsAnswer = z.object({
  api_keys: z.number().int(),
  connections: z.number().int(),
  share_links: z.number().int(),
});
export const memberAnswer = z.object({
  account_id: id,
  email: z.string(),
  name: z.string(),
  role,
  created_at: time,
});
export const invitationAnswer = z.object({ id, email: z.string(), role, expires_at: time });
export const mailAnswer = z.object({ is_mailed: z.boolean() }) satisfies Shape<MailResponse>;
export const createdInvitationAnswer = invitationAnswer.extend({
  token: z.string(),
  url: z.string(),
  is_mailed: z.boolean(),
});
export const openInvitationAnswer = invitationAnswer.extend({
  organization: z.object({ id, name: z.string() }),
});
export const deployedSchemaAnswer = z.object({
  snapshot_number: z.number().int(),
  sql: z.string(),
  file_frame: sqlFileFrame,
  tables: z.array(z.unknown()),
});
export const snapshotItem = z.object({
  number: z.number().int(),
  origin: z.string(),
  hash: z.string(),
  migration: id.nullable(),
  is_current: z.boolean(),
  created_at: time,
});
export const codeAnswer = z.object({
  language: z.enum(['python', 'typescript']),
  database: id,
  snapshot: z.number().int(),
  files: z.array(z.object({ path: z.string(), owner: z.enum(['generated', 'own']), text: z.string() })),
});
export const auditItem = z.object({
  id,
  at: time,
  account_id: id.nullable(),
  account_email: z.string(),
  project_id: id.nullable(),
  action: z.string(),
  target: z.string(),
  detail: z.record(z.string(), z.unknown()),
  address: z.string(),
  request_id: z.string(),
});
export const planAnswer = z.object({
  database: id,
  plan: z.enum(PLAN_NAMES),
  storage_bytes: z.number().int(),
  storage_bytes_max: z.number().int().nullable(),
  storage_measured_at: time.nullable(),
  is_full: z.boolean(),
  request_log_days: z.number().int(),
  usage_days: z.number().int(),
});
export const moveAnswer = z.object({
  id,
  database: id,
  from_server: id,
  to_server: id,
  state: z.enum(MOVE_STATES),
  rows_done: z.number().int(),
  rows_total: z.number().int(),
  switches: z.number().int(),
  pause_ms: z.number().int().nullable(),
  error: z
    .object({
      code: z.string(),
      detail: z.string(),
      hint: z.string().optional(),
      extra: z.record(z.string(), z.unknown()).optional(),
    })
    .nullable(),
  is_cancelled: z.boolean(),
  created_at: time,
  started_at: time.nullable(),
  switched_at: time.nullable(),
  finished_at: time.nullable(),
});
export const routesAnswer = z.object({
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
export const serverAnswer = z.object({
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

export const queueAnswer = z.object({
  items: z.array(migrationAnswer),
  next_cursor: z.null(),
  is_locked: z.boolean(),
});

/** `{items, next_cursor}` */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() });
}

const counts = {
  requests: z.number().int(),
  errors: z.number().int(),
  limited: z.number().int(),
  rows_out: z.number().int(),
  bytes_out: z.number().int(),
  mean_ms: z.number(),
};
export const usageAnswer = listOf(z.object({ at: time, ...counts })).extend({
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
export const usageBreakdownAnswer = z.object({
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
export const limitsAnswer = z.object({
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
export const insightsAnswer = z.object({
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

// Readonly members prevent `satisfies` here. For a description, assignability in one direction is enough.
type MatchesContract<Contract, Schema extends z.ZodType> =
  Contract extends z.output<Schema> ? true : { readonly missing: Contract };
export type SchemasSayTheContracts = [
  MatchesContract<Mutable<DatabaseResponse>, typeof databaseAnswer>,
  MatchesContract<Mutable<ProjectResponse>, typeof projectAnswer>,
  MatchesContract<Mutable<MigrationResponse>, typeof migrationAnswer>,
  MatchesContract<Mutable<DeployResponse>, typeof deployAnswer>,
  MatchesContract<Mutable<DiffResponse>, typeof diffAnswer>,
  MatchesContract<Mutable<SignupResponse>, typeof signupAnswer>,
  MatchesContract<Mutable<KeyResponse>, typeof keyAnswer>,
  MatchesContract<Mutable<CreatedKeyResponse>, typeof createdKeyAnswer>,
];
type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Member in keyof T]: Mutable<T[Member]> }
    : T;
const proof: SchemasSayTheContracts = [true, true, true, true, true, true, true, true];
void proof;

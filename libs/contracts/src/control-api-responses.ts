import type { ConnectionRole, ConnectionTestResult } from './tasks.js';
import type { ApiImpact } from '@rowhouse/ddl-plan';
import type { EngineKind } from '@rowhouse/schema-model';
import type { MigrationOrigin, MigrationPlan, MigrationState } from './migration.js';
import type { DatabaseSettings, Rate, Scope, TableRights } from './records.js';

// Response bodies of the control API. Times are ISO 8601 in UTC.

/** The sessions and tokens that a password change ended. */
export interface EndedResponse {
  sessions_ended: number;
  tokens_ended: number;
}
/** `email_verified` is true once the person has confirmed the email address. */
export interface AccountResponse {
  id: string;
  email: string;
  name: string;
  is_operator: boolean;
  email_verified: boolean;
  wants_notices: boolean;
}
export interface OrganizationResponse {
  id: string;
  name: string;
  role: Role;
}
export type Role = 'owner' | 'admin' | 'developer' | 'viewer';

export interface DatabaseResponse {
  id: string;
  project_id: string;
  environment: string;
  docs_slug: string;
  docs_url: string;
  base_url: string;
  /** The operator's name for the region of the data. Null when none is set. */
  region: string | null;
  /** The engine and version of its server; null until a worker has reached the server. */
  engine: EngineKind | null;
  engine_version: string | null;
  state: 'pending' | 'ready' | 'failed';
  snapshot_number: number;
  settings: DatabaseSettings;
  created_at: string;
  /** When the whole database was found dropped over a direct connection. Null while it exists. */
  missing_since: string | null;
}

/** An engine that new databases of an organization may choose, with the versions of its servers. */
export interface EngineItem {
  engine: EngineKind;
  versions: string[];
  is_default: boolean;
}

/** A limit of direct connections, or what a tool does differently on an engine. */
export interface DirectNote {
  name: string;
  text: string;
}
/** What direct connections to a database can do, and what tools need on its engine. */
export interface DirectAccessResponse {
  engine: EngineKind | null;
  engine_version: string | null;
  limits: DirectNote[];
  tools: DirectNote[];
}

export interface ProjectResponse {
  id: string;
  organization_id: string;
  name: string;
  created_at: string;
  databases: DatabaseResponse[];
}
/**
 * A project in a list. `last_call_at` is when one of its API keys was last used. It is null before the first
 * use.
 */
export interface ProjectItem extends ProjectResponse {
  last_call_at: string | null;
}

/** `api_key` is the first key of the development database. It is shown once. */
export interface SignupResponse {
  account: AccountResponse;
  organization: OrganizationResponse;
  project: ProjectResponse;
  databases: DatabaseResponse[];
  api_key: string;
  csrf_token: string;
  /** Only present with status 202, when the starter was not yet deployed. */
  migrations?: MigrationResponse[];
}

export interface SessionResponse {
  account: AccountResponse;
  organizations: OrganizationResponse[];
  csrf_token: string;
}
/** `is_mailed` is false on an installation that sends no email. Messages are then written to its log. */
export interface MailResponse {
  is_mailed: boolean;
}
export interface SessionItem {
  id: string;
  user_agent: string;
  address: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
  is_current: boolean;
}
export interface TokenItem {
  id: string;
  name: string;
  last4: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}

/**
 * The number of active credentials in the organization's projects that the member created or rotated last.
 */
export interface MemberCredentialsResponse {
  api_keys: number;
  connections: number;
  share_links: number;
}
export interface MemberResponse {
  account_id: string;
  email: string;
  name: string;
  role: Role;
  created_at: string;
}
export interface InvitationResponse {
  id: string;
  email: string;
  role: Role;
  expires_at: string;
}
/**
 * `token` and `url` are shown once and let the invited person join. `is_mailed` tells whether they were also
 * sent by email.
 */
export interface CreatedInvitationResponse extends InvitationResponse {
  token: string;
  url: string;
  is_mailed: boolean;
}
/** An invitation as the invited person sees it. */
export interface OpenInvitationResponse extends InvitationResponse {
  organization: { id: string; name: string };
}
/** An audit event. `account_email` is empty without a signed-in user and for deleted accounts. */
export interface AuditItem {
  id: string;
  at: string;
  account_id: string | null;
  account_email: string;
  project_id: string | null;
  action: string;
  target: string;
  detail: Record<string, unknown>;
  address: string;
  request_id: string;
}

export interface TokenResponse {
  id: string;
  name: string;
  token: string;
  expires_at: string | null;
}

export interface KeyResponse {
  id: string;
  name: string;
  scopes: Scope[];
  tables: TableRights | null;
  origins: string[] | null;
  rate: Rate | null;
  /**
   * The maximum estimated number of rows that a statement may examine. Null applies the setting of the
   * database.
   */
  rows_examined_max: number | null;
  last4: string;
  created_at: string;
  /** The account that created the key. */
  created_by: string;
  expires_at: string | null;
  last_used_at: string | null;
  /** The key that replaced this one when it was rotated. */
  replaced_by: string | null;
}
export interface CreatedKeyResponse extends KeyResponse {
  secret: string;
}
/** `previous` is the rotated key. Its `expires_at` is the end of the overlap. */
export interface RotatedKeyResponse extends CreatedKeyResponse {
  previous: KeyResponse;
}
/** A console key for one database, with the rights of the member's role. */
export interface SessionKeyResponse {
  id: string;
  secret: string;
  scopes: Scope[];
  expires_at: string;
}

export interface ConnectionResponse {
  id: string;
  name: string;
  role: ConnectionRole;
  host: string;
  port: number;
  database: string;
  user: string;
  tls: boolean;
  /**
   * The certificate authority of the server as PEM. Null when clients trust it by default, or without TLS.
   */
  ca: string | null;
  created_at: string;
  expires_at: string | null;
  /** The time until which the password before the last rotation stays valid. */
  previous_until: string | null;
}
export type ConnectionTestResponse = ConnectionTestResult;
export interface CreatedConnectionResponse extends ConnectionResponse {
  connection_string: string;
  password: string;
}

/** The text before and after the `sql` in a schema file. */
export interface SqlFileFrame {
  head: string;
  tail: string;
}

/**
 * The working schema: its text, and its tables as the gateway's `/schema` returns them. Restoring
 * `undo_revision` reverts the last change, and restoring `redo_revision` repeats it. Both are null when there
 * is nothing to undo or redo.
 */
export interface WorkingSchemaResponse {
  revision: number;
  sql: string;
  file_frame: SqlFileFrame;
  notes: string[];
  tables: unknown[];
  updated_at: string | null;
  undo_revision: number | null;
  redo_revision: number | null;
}
/**
 * One revision of the working schema. `statements` is the requested change, `restores` names the revision
 * whose schema was restored, and `deployed_to` lists the environments that run it.
 */
export interface RevisionItem {
  revision: number;
  created_at: string;
  by: { id: string; name: string } | null;
  statements: string;
  restores: number | null;
  deployed_to: string[];
}
/** `taken` lists what the draft adopted from direct connections. */
export interface TakenSchemaResponse extends WorkingSchemaResponse {
  taken: string[];
}
/** The schema that a database runs. Number 0 and an empty text before the first deploy. */
export interface DeployedSchemaResponse {
  snapshot_number: number;
  sql: string;
  file_frame: SqlFileFrame;
  tables: unknown[];
}
/** `statements` are the SQL statements of the edits. */
export interface EditedSchemaResponse extends WorkingSchemaResponse {
  statements: string[];
}

/**
 * A preview of a change. Nothing has been changed. `plans` lead from the databases' current schemas to the
 * changed draft.
 */
export interface SchemaPreviewResponse {
  revision: number;
  statements: string[];
  notes: string[];
  tables: unknown[];
  plans: MigrationPlan[];
}

/** A table of the working schema with everything that can be edited. */
export interface TableStructureResponse {
  revision: number;
  name: string;
  kind: 'table' | 'view';
  comment: string;
  columns: ColumnStructure[];
  primary_key: string[];
  indexes: {
    name: string;
    type: 'plain' | 'unique' | 'fulltext' | 'spatial' | 'vector';
    columns: string[];
  }[];
  foreign_keys: ForeignKeyStructure[];
  /** Foreign keys of other tables that reference this one. */
  referenced_by: (ForeignKeyStructure & { table: string })[];
  checks: { name: string; expression: string }[];
  triggers: string[];
  sql: string;
}
export interface ColumnStructure {
  name: string;
  type: string;
  nullable: boolean;
  default: { kind: 'none' | 'null' } | { kind: 'literal' | 'expression'; text: string };
  auto_increment: boolean;
  unique: boolean;
  comment: string;
  /** Whether the value is computed from other columns. */
  generated: 'virtual' | 'stored' | null;
  /** The definition after the name, as in CREATE TABLE. */
  definition: string;
}
export interface ForeignKeyStructure {
  name: string;
  columns: string[];
  to: string;
  to_columns: string[];
  on_delete: string;
  on_update: string;
}

/**
 * A change described in words, translated to SQL for review. Nothing has been changed. To apply it, send
 * `sql` with mode `apply`.
 */
export interface ProposalResponse {
  revision: number;
  /** `model`: a language model wrote the SQL. `rules`: the sentence has a known form. */
  source: 'model' | 'rules';
  sql: string;
  statements: string[];
  loss: string[];
  impact: ApiImpact;
  notes: string[];
}

export interface MigrationResponse {
  id: string;
  database: string;
  environment: string;
  state: MigrationState;
  revision: number;
  progress: number;
  base_snapshot: number;
  published_snapshot: number | null;
  plan: MigrationPlan;
  /** `direct`: DDL from a direct connection. `revert`: the revert of the migration `reverts`. */
  origin: MigrationOrigin;
  reverts: string | null;
  /**
   * The account that requested the migration, or the connection that a direct change came from. Null when
   * unknown.
   */
  by: { kind: 'account' | 'connection'; id: string; name: string } | null;
  /** The progress of a table copy. Null without a copy. */
  rows_done: number | null;
  rows_total: number | null;
  eta_seconds: number | null;
  /** The duration from start to end. Null until the migration has ended. */
  duration_ms: number | null;
  /** `extra` names the tables and rows that blocked the change. */
  error: { code: string; detail: string; hint?: string; extra?: Readonly<Record<string, unknown>> } | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}
/** The unfinished migrations of a database in execution order. The first one is running or runs next. */
export interface QueueResponse {
  items: MigrationResponse[];
  next_cursor: null;
  /** The operator has disabled all schema changes. */ is_locked: boolean;
}

/** One step of a migration, in execution order. */
export interface MigrationStepResponse {
  ordinal: number;
  kind: string;
  table: string;
  statement: string;
  strategy: string;
  state: string;
  started_at: string | null;
  finished_at: string | null;
  duration_ms: number | null;
}

/** A dropped table or column that can still be restored by reverting its migration. */
export interface SoftDeletedResponse {
  id: string;
  migration: string;
  kind: 'table' | 'column';
  table: string;
  column: string | null;
  kept_at: string;
  expires_at: string;
}

/**
 * The differences between the deployed schemas of a project's databases and the working schema, and among
 * each other.
 */
export interface DriftResponse {
  revision: number;
  databases: {
    database: string;
    environment: string;
    snapshot: number;
    /** The last deployed revision. 0 before the first deploy. */
    revision: number;
    /** Objects changed over direct connections since then. */
    direct: string[];
    /** Differences from the first database of the list. */
    differs: { object: string; how: 'only_here' | 'missing_here' | 'other' }[];
  }[];
}

/**
 * `is_known` is false when the working schema no longer has the table or column. Questions then ignore the
 * synonym.
 */
export interface SynonymResponse {
  id: string;
  phrase: string;
  table: string;
  column: string | null;
  is_known: boolean;
  created_at: string;
}

/** The language model of a project's questions. Its API key is never returned. */
export interface LanguageModelResponse {
  source: 'project' | 'installation' | 'none';
  /** The address of the project's own model. */
  base_url: string | null;
  model: string | null;
  has_key: boolean;
  updated_at: string | null;
}

/** The state of the value index of a database. The values themselves are not returned. */
export interface ValueIndexResponse {
  /** When the index was last compared with the rows. Null before the first question. */
  checked_at: string | null;
  version: number;
  columns: number;
  values: number;
  bytes: number;
}

export interface UsageCounts {
  requests: number;
  /** The number of responses with status 429 or 500 and above. */
  errors: number;
  limited: number;
  rows_out: number;
  bytes_out: number;
  /** The mean over the requests. 0 without requests. */
  mean_ms: number;
}
/** `at` is the start of the minute, hour or day. Intervals without requests are left out. */
export interface UsageItem extends UsageCounts {
  at: string;
}
/** `totals` cover the whole time span, not only the page. */
export interface UsageResponse extends ListResponse<UsageItem> {
  from: string;
  to: string;
  totals: UsageCounts;
  storage: { bytes: number; bytes_max: number | null; measured_at: string | null; is_full: boolean };
}

/**
 * Requests by key or by table, sorted by use. Days without requests are left out. `id` is a key id or the
 * path of a table. It is null for requests that concern no table.
 */
export interface UsageShare {
  id: string | null;
  name: string;
  requests: number;
  days: { day: string; requests: number }[];
}
export interface UsageBreakdownResponse {
  by: 'key' | 'table';
  since: string;
  items: UsageShare[];
}

/**
 * A limit and its current use. `max` is null without a limit. `resets_at` is null for a level that does not
 * reset.
 */
export interface LimitItem {
  name: string;
  unit: 'bytes' | 'requests_per_second' | 'tokens';
  used: number | null;
  max: number | null;
  resets_at: string | null;
  is_reached: boolean;
}
/** `limited_today` is the number of requests rejected with 429 since midnight UTC. */
export interface LimitsResponse {
  plan: string;
  limited_today: number;
  items: LimitItem[];
}

/**
 * A line of the request log. Above a hundred requests per second, the log holds a sample. `shape` describes
 * the parameters of a slow list. `key_name` is null without a key or when the key is gone.
 */
export interface RequestItem {
  id: string;
  at: string;
  request_id: string;
  key_id: string | null;
  key_name: string | null;
  method: string;
  route: string;
  status: number;
  code: string;
  duration_ms: number;
  rows_out: number;
  shape: string | null;
}

export interface RouteInsight {
  route: string;
  requests: number;
  errors: number;
  refused: number;
  mean_ms: number;
  p50_ms: number;
  p95_ms: number;
  rows_out: number;
}
/**
 * Slow lists of one table that use the same columns. `index_sql` creates an index for them. It is null when a
 * suitable index exists or none can be created.
 */
export interface SlowShape {
  table: string;
  asked: string;
  requests: number;
  mean_ms: number;
  index_sql: string | null;
}
export interface KeyInsight {
  id: string;
  name: string;
  requests: number;
  last_used_at: string | null;
}
/** Based on the newest `sampled` lines of the request log, and for keys on the last 30 days. */
export interface InsightsResponse {
  since: string;
  sampled: number;
  routes: RouteInsight[];
  codes: { code: string; status: number; count: number }[];
  keys: KeyInsight[];
  unused_keys: KeyInsight[];
  slow_shapes: SlowShape[];
}

/** `notes` lists what the text contained but was not adopted, or why no migration is needed. */
export interface DeployResponse {
  revision: number;
  migrations: MigrationResponse[];
  notes: string[];
}
export interface DiffResponse {
  revision: number;
  plans: MigrationPlan[];
}
/** A question asked of a database. `source` is null when it led to no SQL. `code` then gives the reason. */
export interface QuestionResponse {
  id: string;
  at: string;
  question: string;
  sql: string | null;
  source: 'rules' | 'llm' | 'cache' | null;
  code: string | null;
  duration_ms: number;
  tokens: number;
  repairs: number;
  verdict: 'accepted' | 'rejected' | null;
  key_id: string;
  request_id: string;
}
export interface AcceptedQuestionResponse {
  id: string;
  question: string;
  sql: string;
  created_by: string;
  created_at: string;
}
export interface SavedQueryResponse {
  id: string;
  name: string;
  kind: 'sql' | 'question';
  query: string;
  created_by: string;
  created_at: string;
  updated_at: string;
}
/** The use of one day in UTC. */
export interface ModelUseResponse {
  day: string;
  questions: number;
  requests: number;
  tokens_in: number;
  tokens_out: number;
  repairs: number;
  failures: number;
}
/** Generated code as files. Files with owner `own` are written once and then belong to the user. */
export interface CodeResponse {
  language: 'python' | 'typescript';
  database: string;
  snapshot: number;
  files: { path: string; owner: 'generated' | 'own'; text: string }[];
}
export interface ListResponse<T> {
  items: T[];
  next_cursor: string | null;
}

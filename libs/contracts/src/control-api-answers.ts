import type { ConnectionRole, ConnectionTestResult } from './tasks.js';
import type { ApiImpact } from '@rowhouse/ddl-plan';
import type { MigrationOrigin, MigrationPlan, MigrationState } from './migration.js';
import type { DatabaseSettings, Rate, Scope, TableRights } from './records.js';

// Answers of the control API. Times are ISO 8601 in UTC.

/** What ended with an old password. */
export interface EndedAnswer { sessions_ended: number; tokens_ended: number }
/** `email_verified`: the owner of the address has shown to be the owner of the account. */
export interface AccountAnswer { id: string; email: string; name: string; is_operator: boolean; email_verified: boolean; wants_notices: boolean }
export interface OrganizationAnswer { id: string; name: string; role: Role }
export type Role = 'owner' | 'admin' | 'developer' | 'viewer';

export interface DatabaseAnswer {
  id: string;
  project_id: string;
  environment: string;
  docs_slug: string;
  docs_url: string;
  base_url: string;
  /** Where its data lies, in words of the operator; null: they told none. */
  region: string | null;
  state: 'pending' | 'ready' | 'failed';
  snapshot_number: number;
  settings: DatabaseSettings;
  created_at: string;
  /** Its owner has dropped the whole database over a direct connection, and has not made it again. */
  missing_since: string | null;
}

export interface ProjectAnswer { id: string; organization_id: string; name: string; created_at: string; databases: DatabaseAnswer[] }
/** As a list of projects has it. `last_call_at`: when one of its API keys was last used; null: not yet. */
export interface ProjectItem extends ProjectAnswer { last_call_at: string | null }

/** `api_key` is the first key, for the development database, shown once. */
export interface SignupAnswer {
  account: AccountAnswer;
  organization: OrganizationAnswer;
  project: ProjectAnswer;
  databases: DatabaseAnswer[];
  api_key: string;
  csrf_token: string;
  /** Present with 202 only: the starter was not yet live when the answer was due. */
  migrations?: MigrationAnswer[];
}

export interface SessionAnswer { account: AccountAnswer; organizations: OrganizationAnswer[]; csrf_token: string }
/** `is_mailed`: a mail goes out where there is a reason for one. False: this installation sends none and writes them into its log. */
export interface MailAnswer { is_mailed: boolean }
export interface SessionItem { id: string; user_agent: string; address: string; created_at: string; last_seen_at: string; expires_at: string; is_current: boolean }
export interface TokenItem { id: string; name: string; last4: string; created_at: string; expires_at: string | null; last_used_at: string | null }

/** How many live credentials of an organization's projects a member created or rotated last. */
export interface MemberCredentialsAnswer { api_keys: number; connections: number; share_links: number }
export interface MemberAnswer { account_id: string; email: string; name: string; role: Role; created_at: string }
export interface InvitationAnswer { id: string; email: string; role: Role; expires_at: string }
/** `token` and `url`, shown once, let the invited person join. `is_mailed`: they went out by mail too. */
export interface CreatedInvitationAnswer extends InvitationAnswer { token: string; url: string; is_mailed: boolean }
/** As the invited person sees it. */
export interface OpenInvitationAnswer extends InvitationAnswer { organization: { id: string; name: string } }
/** What was done. `account_email` is empty for what nobody signed in did, and for accounts that are gone. */
export interface AuditItem {
  id: string; at: string; account_id: string | null; account_email: string; project_id: string | null; action: string; target: string;
  detail: Record<string, unknown>; address: string; request_id: string;
}

export interface TokenAnswer { id: string; name: string; token: string; expires_at: string | null }

export interface KeyAnswer {
  id: string;
  name: string;
  scopes: Scope[];
  tables: TableRights | null;
  origins: string[] | null;
  rate: Rate | null;
  /** Rows that one of its statements may be expected to look at; null: what the database says. */
  rows_examined_max: number | null;
  last4: string;
  created_at: string;
  /** The account that made it. */
  created_by: string;
  expires_at: string | null;
  last_used_at: string | null;
  /** The key that took this one's place, once it was rotated. */
  replaced_by: string | null;
}
export interface CreatedKeyAnswer extends KeyAnswer { secret: string }
/** `previous`: as it stands now, with the end of the overlap in `expires_at`. */
export interface RotatedKeyAnswer extends CreatedKeyAnswer { previous: KeyAnswer }
/** A key of the console for one database, with the rights of the member's role. */
export interface SessionKeyAnswer { id: string; secret: string; scopes: Scope[]; expires_at: string }

export interface ConnectionAnswer {
  id: string;
  name: string;
  role: ConnectionRole;
  host: string;
  port: number;
  database: string;
  user: string;
  tls: boolean;
  /** The authority of the server's certificate, PEM; null: one that systems know, or no TLS. */
  ca: string | null;
  created_at: string;
  expires_at: string | null;
  /** Until then the password before the last rotation holds too. */
  previous_until: string | null;
}
export type ConnectionTestAnswer = ConnectionTestResult;
export interface CreatedConnectionAnswer extends ConnectionAnswer { connection_string: string; password: string }

/** What a file of a schema starts and ends with, around its `sql`. */
export interface SqlFileFrame { head: string; tail: string }

/**
 * The working schema: its text, and its tables as the gateway's `/schema` describes them. `undo_revision` and `redo_revision`
 * are what to restore to take the last change back or to make it again; null: there is none.
 */
export interface WorkingSchemaAnswer { revision: number; sql: string; file_frame: SqlFileFrame; notes: string[]; tables: unknown[]; updated_at: string | null; undo_revision: number | null; redo_revision: number | null }
/** One revision of the working schema. `statements` is what was asked for; `restores` the revision whose schema it is again; `deployed_to` the environments that run it. */
export interface RevisionItem { revision: number; created_at: string; by: { id: string; name: string } | null; statements: string; restores: number | null; deployed_to: string[] }
/** `taken`: what came over direct connections and stands in the draft now. */
export interface TakenSchemaAnswer extends WorkingSchemaAnswer { taken: string[] }
/** What a database has now; 0 and no text before its first deploy. */
export interface DeployedSchemaAnswer { snapshot_number: number; sql: string; file_frame: SqlFileFrame; tables: unknown[] }
/** `statements` are what the edits came to. */
export interface EditedSchemaAnswer extends WorkingSchemaAnswer { statements: string[] }

/** What a change would come to; nothing has been changed. `plans` lead from what databases run to the draft with the change. */
export interface SchemaPreviewAnswer { revision: number; statements: string[]; notes: string[]; tables: unknown[]; plans: MigrationPlan[] }

/** A table of the working schema in every detail that can be edited. */
export interface TableStructureAnswer {
  revision: number;
  name: string;
  kind: 'table' | 'view';
  comment: string;
  columns: ColumnStructure[];
  primary_key: string[];
  indexes: { name: string; type: 'plain' | 'unique' | 'fulltext' | 'spatial' | 'vector'; columns: string[] }[];
  foreign_keys: ForeignKeyStructure[];
  /** Foreign keys of other tables onto this one. */
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
  /** Computed from other columns. */
  generated: 'virtual' | 'stored' | null;
  /** As CREATE TABLE writes it, behind its name. */
  definition: string;
}
export interface ForeignKeyStructure { name: string; columns: string[]; to: string; to_columns: string[]; on_delete: string; on_update: string }

/** A change that was asked for in words, as SQL to look at. Nothing has been changed: send `sql` with mode `apply` to take it over. */
export interface ProposalAnswer {
  revision: number;
  /** `model`: a language model wrote it; `rules`: the sentence is of a form that is known. */
  source: 'model' | 'rules';
  sql: string;
  statements: string[];
  loss: string[];
  impact: ApiImpact;
  notes: string[];
}

export interface MigrationAnswer {
  id: string;
  database: string;
  environment: string;
  state: MigrationState;
  revision: number;
  progress: number;
  base_snapshot: number;
  published_snapshot: number | null;
  plan: MigrationPlan;
  /** `direct`: DDL that came over a connection string; `revert`: the way back of the migration `reverts`. */
  origin: MigrationOrigin;
  reverts: string | null;
  /** The account that asked for it, or the connection that a direct change came over; null when that is not known. */
  by: { kind: 'account' | 'connection'; id: string; name: string } | null;
  /** Of a long copy; null while there is none. */
  rows_done: number | null;
  rows_total: number | null;
  eta_seconds: number | null;
  /** From start to end; null until it has ended. */
  duration_ms: number | null;
  /** `extra` names tables and rows that stood in the way. */
  error: { code: string; detail: string; hint?: string; extra?: Readonly<Record<string, unknown>> } | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}
/** Migrations of a database that have not ended, in the order in which they run: the first runs or is next. */
export interface QueueAnswer { items: MigrationAnswer[]; next_cursor: null; /** The operator has stopped all schema changes. */ is_locked: boolean }

/** One thing that a migration did or will do, in its order. */
export interface MigrationStepAnswer {
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

/** A dropped table or column that can still be taken back by reverting its migration. */
export interface KeptAnswer { id: string; migration: string; kind: 'table' | 'column'; table: string; column: string | null; kept_at: string; expires_at: string }

/** How the deployed schemas of a project's databases differ from the working schema and from one another. */
export interface DriftAnswer {
  revision: number;
  databases: {
    database: string;
    environment: string;
    snapshot: number;
    /** The revision that was deployed last; 0 before the first deploy. */
    revision: number;
    /** Changed over direct connections since then. */
    direct: string[];
    /** What differs from the database named first. */
    differs: { object: string; how: 'only_here' | 'missing_here' | 'other' }[];
  }[];
}

/** `is_known` is false where the working schema has no such table or column any more: questions pass it over. */
export interface SynonymAnswer { id: string; phrase: string; table: string; column: string | null; is_known: boolean; created_at: string }

/** Which language model a project's questions go to. Its key is never told. */
export interface LanguageModelAnswer {
  source: 'project' | 'installation' | 'none';
  /** Of the project's own. */
  base_url: string | null;
  model: string | null;
  has_key: boolean;
  updated_at: string | null;
}

/** What is known of the values of a database's text columns. The values themselves never leave the database. */
export interface ValueIndexAnswer {
  /** When it was last compared with the rows; null before the first question. */
  checked_at: string | null;
  version: number;
  columns: number;
  values: number;
  bytes: number;
}

export interface UsageCounts {
  requests: number;
  /** Answers of 500 and above, and 429. */
  errors: number;
  limited: number;
  rows_out: number;
  bytes_out: number;
  /** Mean over the requests; 0 without any. */
  mean_ms: number;
}
/** `at`: when the minute, hour or day begins. Those without a request are left out. */
export interface UsageItem extends UsageCounts { at: string }
/** `totals` are of the whole span, not of the page. */
export interface UsageAnswer extends ListAnswer<UsageItem> {
  from: string;
  to: string;
  totals: UsageCounts;
  storage: { bytes: number; bytes_max: number | null; measured_at: string | null; is_full: boolean };
}

/** Requests by key or by table, the most used first; days without one are left out. `id` is a key's, or a table's path; null for routes of no table. */
export interface UsageShare { id: string | null; name: string; requests: number; days: { day: string; requests: number }[] }
export interface UsageBreakdownAnswer { by: 'key' | 'table'; since: string; items: UsageShare[] }

/** A limit with what it stands at. `max` null: there is none. `resets_at` null: it is a level, not a count of a period. */
export interface LimitItem { name: string; unit: 'bytes' | 'requests_per_second' | 'tokens'; used: number | null; max: number | null; resets_at: string | null; is_reached: boolean }
/** `limited_today`: requests that were refused with 429 since midnight, UTC. */
export interface LimitsAnswer { plan: string; limited_today: number; items: LimitItem[] }

/** A line of the request log: a fair sample where there are more than a hundred requests a second. `shape`: what a slow list was asked by; `key_name`: null without a key, or where nothing is left of it. */
export interface RequestItem { id: string; at: string; request_id: string; key_id: string | null; key_name: string | null; method: string; route: string; status: number; code: string; duration_ms: number; rows_out: number; shape: string | null }

export interface RouteInsight { route: string; requests: number; errors: number; refused: number; mean_ms: number; p50_ms: number; p95_ms: number; rows_out: number }
/** Slow lists of one table that were asked by the same columns. `index_sql`: an index for them; null where one begins with them already, or none can be made as they are. */
export interface SlowShape { table: string; asked: string; requests: number; mean_ms: number; index_sql: string | null }
export interface KeyInsight { id: string; name: string; requests: number; last_used_at: string | null }
/** From the newest lines of the request log, `sampled` of them; keys by their use in the last 30 days. */
export interface InsightsAnswer { since: string; sampled: number; routes: RouteInsight[]; codes: { code: string; status: number; count: number }[]; keys: KeyInsight[]; unused_keys: KeyInsight[]; slow_shapes: SlowShape[] }

/** `notes`: what the text held and was not taken over, or why there is nothing to migrate. */
export interface DeployAnswer { revision: number; migrations: MigrationAnswer[]; notes: string[] }
export interface DiffAnswer { revision: number; plans: MigrationPlan[] }
/** A question that was asked of a database. `source` is null where nothing came of it; `code` says why. */
export interface QuestionAnswer {
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
export interface AcceptedQuestionAnswer { id: string; question: string; sql: string; created_by: string; created_at: string }
export interface SavedQueryAnswer { id: string; name: string; kind: 'sql' | 'question'; query: string; created_by: string; created_at: string; updated_at: string }
/** Of one day, UTC. */
export interface ModelUseAnswer { day: string; questions: number; requests: number; tokens_in: number; tokens_out: number; repairs: number; failures: number }
/** Generated code as files. `own` ones are written once and then belong to their user. */
export interface CodeAnswer { language: 'python' | 'typescript'; database: string; snapshot: number; files: { path: string; owner: 'generated' | 'own'; text: string }[] }
export interface ListAnswer<T> { items: T[]; next_cursor: string | null }

import type { ConnectionRole } from './tasks.js';
import type { MigrationPlan, MigrationState } from './migration.js';
import type { DatabaseSettings, Rate, Scope, TableRights } from './records.js';

/** Answers of the control API. Times are ISO 8601 in UTC. */
export interface AccountAnswer { id: string; email: string; name: string; is_operator: boolean }
export interface OrganizationAnswer { id: string; name: string; role: Role }
export type Role = 'owner' | 'admin' | 'developer' | 'viewer';

export interface DatabaseAnswer {
  id: string;
  project_id: string;
  environment: string;
  docs_slug: string;
  docs_url: string;
  base_url: string;
  state: 'pending' | 'ready' | 'failed';
  snapshot_number: number;
  settings: DatabaseSettings;
  created_at: string;
}

export interface ProjectAnswer { id: string; organization_id: string; name: string; created_at: string; databases: DatabaseAnswer[] }

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
export interface TokenAnswer { id: string; name: string; token: string; expires_at: string | null }

export interface KeyAnswer {
  id: string;
  name: string;
  scopes: Scope[];
  tables: TableRights | null;
  origins: string[] | null;
  rate: Rate | null;
  last4: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}
export interface CreatedKeyAnswer extends KeyAnswer { secret: string }

export interface ConnectionAnswer {
  id: string;
  name: string;
  role: ConnectionRole;
  host: string;
  port: number;
  database: string;
  user: string;
  tls: boolean;
  created_at: string;
  expires_at: string | null;
}
export interface CreatedConnectionAnswer extends ConnectionAnswer { connection_string: string; password: string }

/** The working schema: its text, and its tables as the gateway's `/schema` describes them. */
export interface WorkingSchemaAnswer { revision: number; sql: string; notes: string[]; tables: unknown[]; updated_at: string | null }

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
  error: { code: string; detail: string; hint?: string } | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}
export interface DeployAnswer { revision: number; migrations: MigrationAnswer[] }
export interface DiffAnswer { revision: number; plans: MigrationPlan[] }
export interface ListAnswer<T> { items: T[]; next_cursor: string | null }

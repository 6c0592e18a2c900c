import type { EngineCapabilities, EngineKind, Verb } from '@rowhouse/schema-model';

/** What a key may be allowed to do. */
export const SCOPES = ['read', 'write', 'delete', 'query', 'query:write', 'schema'] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes of a new key that asks for none. */
export const DEFAULT_SCOPES: readonly Scope[] = ['read', 'write', 'delete', 'query', 'schema'];

/** `{"posts": ["read", "write"]}`; null means every table. */
export type TableRights = Readonly<Record<string, readonly Verb[]>>;

/** Requests per second with a burst; null means no limit of its own. */
export interface Rate {
  readonly per_second: number;
  readonly burst: number;
}

/** A key as the gateway reads it from the platform database or from Redis. Times are epoch milliseconds. */
export interface KeyRecord {
  readonly id: string;
  readonly cellId: string;
  readonly databaseId: string;
  readonly lineageId: string;
  readonly scopes: readonly Scope[];
  readonly tables: TableRights | null;
  /** Names the query account that has just these rights; '' is the account of the whole database. */
  readonly rightsHash: string;
  readonly origins: readonly string[] | null;
  readonly rate: Rate | null;
  /** Rows that one of its statements may be expected to look at; null: what the database says. */
  readonly rowsExaminedMax: number | null;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
}

/** Where a database lies and how it is set up, as the gateway reads it. */
export interface DatabaseRecord {
  readonly id: string;
  readonly cellId: string;
  readonly projectId: string;
  readonly projectName: string;
  /** That made the project; it stays when the project is moved. Null, or missing in records of before, where it was not noted. */
  readonly accountId?: string | null;
  readonly environment: string;
  /** The MySQL schema: `p` + base32, no `_` and no `%`. */
  readonly schemaName: string;
  readonly generation: number;
  readonly locationState: LocationState;
  /** While it is `moving`: when the hold on its writes ends, by the platform database's clock. */
  readonly movingUntilMs: number | null;
  /** Whether requests may have to wait: the published snapshot is then read at its source. Missing in records of older versions. */
  readonly requestsPaused?: boolean;
  readonly docsSlug: string;
  readonly settings: DatabaseSettings;
  readonly snapshotNumber: number;
  readonly snapshotHash: string;
  /** Over the storage quota of its plan: nothing is created. */
  readonly isStorageFull: boolean;
  /** Of the row, for cache checks; bumped by settings, accounts, location, not by snapshots. */
  readonly version: number;
  readonly server: ServerRecord;
  readonly accounts: readonly AccountRecord[];
  /** The project's own; null: questions go to the installation's, where there is one. */
  readonly languageModel: ProjectModelRecord | null;
}

/** A language model that a project has set up for itself. Its key stays sealed until used. */
export interface ProjectModelRecord {
  readonly baseUrl: string;
  readonly model: string;
  /** base64; null: it takes none. */
  readonly keySealed: string | null;
  /** Another one with every change. */
  readonly version: number;
}

export type LocationState = 'live' | 'moving' | 'waking' | 'asleep' | 'suspended';

/** One address of a server that has several. */
export interface ServerNode {
  readonly host: string;
  readonly port: number;
  /** Where workers log in even when the port is full of other sessions; null or missing: there is none. */
  readonly admin_port?: number | null;
}

export interface ServerRecord {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  /** The other nodes of a cluster, in the order in which they are tried. Missing in records of before. */
  readonly nodes?: readonly ServerNode[];
  readonly tls: 'off' | 'required';
  readonly engine: EngineKind;
  readonly capabilities: EngineCapabilities;
  readonly connectionsMax: number;
}

/** A platform account on the tenant's server. The secret stays sealed (AES-256-GCM under the master key) until used. */
export interface AccountRecord {
  /** `query` reads what users ask for, `query_write` is for keys that may write by SQL. */
  readonly kind: 'rows' | 'query' | 'query_write' | 'migrator';
  readonly rightsHash: string;
  readonly userName: string;
  /** base64 */
  readonly secretSealed: string;
}

export interface DatabaseSettings {
  readonly unknown_fields: 'reject' | 'ignore';
  readonly require_limit: boolean;
  /** Tables whose records are changed and deleted with `If-Match` only. */
  readonly require_if_match: readonly string[];
  readonly docs_enabled: boolean;
  readonly regex_enabled: boolean;
  readonly time_zone: string;
  readonly hidden_columns: Readonly<Record<string, readonly string[]>>;
  /** Columns whose values are not collected to understand questions, by table. */
  readonly unindexed_columns: Readonly<Record<string, readonly string[]>>;
  /** Origins of the pages that may call; null: all. Keys may narrow this further. */
  readonly allowed_origins: readonly string[] | null;
  /** TINYINT(1) columns that clients read and write as numbers instead of booleans, by table. */
  readonly number_columns: Readonly<Record<string, readonly string[]>>;
  readonly rate: Rate | null;
  /** Rows that one statement may be expected to look at; null: what the operator has set. */
  readonly rows_examined_max: number | null;
  /** A schema change ends sessions that hold its table idle in a transaction for so long; null: it waits. */
  readonly end_idle_transactions_after_seconds: number | null;
  /** Questions may go to a language model, where there is one: the schema goes along, and of the rows only values that the question says. */
  readonly language_model: boolean;
  /** Of the whole project, below what the operator allows; null: just that. */
  readonly language_model_tokens_per_day: number | null;
  /** Questions are kept for 30 days, to be looked at and judged. */
  readonly question_history: boolean;
  /** A copy of the database is made by itself so many hours after the last one; null: none is. */
  readonly backup_every_hours: number | null;
}

export const DEFAULT_DATABASE_SETTINGS: DatabaseSettings = {
  unknown_fields: 'reject',
  require_limit: false,
  require_if_match: [],
  docs_enabled: true,
  regex_enabled: false,
  time_zone: 'UTC',
  hidden_columns: {},
  unindexed_columns: {},
  allowed_origins: null,
  number_columns: {},
  rate: null,
  rows_examined_max: null,
  end_idle_transactions_after_seconds: null,
  language_model: true,
  language_model_tokens_per_day: null,
  question_history: true,
  backup_every_hours: null,
};

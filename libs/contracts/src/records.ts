import type { EngineCapabilities, EngineKind, Verb } from '@rowhouse/schema-model';

/** The permissions that a key can have. */
export const SCOPES = ['read', 'write', 'delete', 'query', 'query:write', 'schema'] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes of a new key when the request names none. */
export const DEFAULT_SCOPES: readonly Scope[] = ['read', 'write', 'delete', 'query', 'schema'];

/** Verbs by table, such as `{"posts": ["read", "write"]}`. Null grants all tables. */
export type TableRights = Readonly<Record<string, readonly Verb[]>>;

/** A rate limit of a key. Null means that the key has no limit of its own. */
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
  /**
   * Identifies the query account that has exactly these rights. An empty string is the account of the whole
   * database.
   */
  readonly rightsHash: string;
  readonly origins: readonly string[] | null;
  readonly rate: Rate | null;
  /**
   * The maximum estimated number of rows that a statement may examine. Null applies the setting of the
   * database.
   */
  readonly rowsExaminedMax: number | null;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
}

/** The location and settings of a database, as the gateway reads them. */
export interface DatabaseRecord {
  readonly id: string;
  readonly cellId: string;
  readonly projectId: string;
  readonly projectName: string;
  /**
   * The account that created the project. It does not change when the project is moved. Null or absent in
   * older records.
   */
  readonly accountId?: string | null;
  readonly environment: string;
  /** The name of the MySQL schema: `p` followed by base32. It contains no `_` and no `%`. */
  readonly schemaName: string;
  readonly generation: number;
  readonly locationState: LocationState;
  /** The end of the write pause while the state is `moving`, by the clock of the platform database. */
  readonly movingUntilMs: number | null;
  /**
   * Whether requests may be paused. The gateway then reads the published snapshot from the platform database.
   * Absent in records of older versions.
   */
  readonly requestsPaused?: boolean;
  readonly docsSlug: string;
  readonly settings: DatabaseSettings;
  readonly snapshotNumber: number;
  readonly snapshotHash: string;
  /** Whether the database exceeds its storage quota, so that requests to create records are rejected. */
  readonly isStorageFull: boolean;
  /**
   * The version of the row, for cache checks. It changes with settings, accounts and location, but not with
   * snapshots.
   */
  readonly version: number;
  readonly server: ServerRecord;
  readonly accounts: readonly AccountRecord[];
  /**
   * The language model of the project. Null sends questions to the model of the installation, if it has one.
   */
  readonly languageModel: ProjectModelRecord | null;
}

/** A language model that a project has configured. Its API key stays encrypted until it is used. */
export interface ProjectModelRecord {
  readonly baseUrl: string;
  readonly model: string;
  /** The encrypted API key, base64. Null when the model needs none. */
  readonly keySealed: string | null;
  /** The version of the configuration, which increases with every change. */
  readonly version: number;
}

export type LocationState = 'live' | 'moving' | 'waking' | 'asleep' | 'suspended';

/** One of several addresses of a server. */
export interface ServerNode {
  readonly host: string;
  readonly port: number;
  /**
   * The port that workers can use when the regular port has no free connection. Null or missing when the
   * server has none.
   */
  readonly admin_port?: number | null;
}

export interface ServerRecord {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  /** The other nodes of a cluster, in the order in which they are tried. Missing in older records. */
  readonly nodes?: readonly ServerNode[];
  readonly tls: 'off' | 'required';
  readonly engine: EngineKind;
  readonly capabilities: EngineCapabilities;
  readonly connectionsMax: number;
}

/**
 * A platform account on a tenant's server. The password stays encrypted with AES-256-GCM under the master key
 * until it is used.
 */
export interface AccountRecord {
  /** `query` runs read-only SQL of users. `query_write` runs SQL with keys that have `query:write`. */
  readonly kind: 'rows' | 'query' | 'query_write' | 'migrator';
  readonly rightsHash: string;
  readonly userName: string;
  /** The encrypted password as base64. */
  readonly secretSealed: string;
}

/** A license with an SPDX identifier or the URL of its text, not both. */
export interface License {
  readonly name: string;
  readonly identifier?: string | undefined;
  readonly url?: string | undefined;
}

export interface DatabaseSettings {
  readonly unknown_fields: 'reject' | 'ignore';
  readonly require_limit: boolean;
  /** Tables whose records can only be changed and deleted with `If-Match`. */
  readonly require_if_match: readonly string[];
  readonly docs_enabled: boolean;
  /** The license in the OpenAPI document. Null means that the document states none. */
  readonly license: License | null;
  readonly regex_enabled: boolean;
  readonly time_zone: string;
  readonly hidden_columns: Readonly<Record<string, readonly string[]>>;
  /** Columns whose values are not collected for questions, by table. */
  readonly unindexed_columns: Readonly<Record<string, readonly string[]>>;
  /** Origins of web pages that may call the API. Null allows all. A key can restrict this further. */
  readonly allowed_origins: readonly string[] | null;
  /** TINYINT(1) columns that clients read and write as numbers instead of booleans, by table. */
  readonly number_columns: Readonly<Record<string, readonly string[]>>;
  readonly rate: Rate | null;
  /**
   * The maximum estimated number of rows that one statement may examine. Null applies the operator's setting.
   */
  readonly rows_examined_max: number | null;
  /**
   * The number of seconds after which a schema change ends idle transactions that block it. Null lets the
   * schema change wait.
   */
  readonly end_idle_transactions_after_seconds: number | null;
  /**
   * Whether questions may be sent to a language model. The model receives the schema. Of the rows, it
   * receives only values that the question contains.
   */
  readonly language_model: boolean;
  /** The daily token budget of the project. Null applies the operator's limit. */
  readonly language_model_tokens_per_day: number | null;
  /** Whether questions are stored for 30 days, so that members can review them. */
  readonly question_history: boolean;
  /** The number of hours between automatic backups. Null disables them. */
  readonly backup_every_hours: number | null;
}

export const DEFAULT_DATABASE_SETTINGS: DatabaseSettings = {
  unknown_fields: 'reject',
  require_limit: false,
  require_if_match: [],
  docs_enabled: true,
  license: null,
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

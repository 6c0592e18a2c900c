import type { EngineCapabilities, EngineKind, Verb } from '@rowhouse/schema-model';

/** The scopes that an API key can have. */
export const SCOPES = ['read', 'write', 'delete', 'query', 'query:write', 'schema'] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes of a new API key if the request contains none. */
export const DEFAULT_SCOPES: readonly Scope[] = ['read', 'write', 'delete', 'query', 'schema'];

/** The allowed verbs by table, such as `{"posts": ["read", "write"]}`. Null means all tables. */
export type TableRights = Readonly<Record<string, readonly Verb[]>>;

/** The rate limit of an API key. Null means that the key has no limit of its own. */
export interface Rate {
  readonly per_second: number;
  readonly burst: number;
}

/**
 * An API key in the form in which the gateway reads it from the platform database or from Redis. Times are in
 * milliseconds since 1970.
 */
export interface KeyRecord {
  readonly id: string;
  readonly cellId: string;
  readonly databaseId: string;
  readonly lineageId: string;
  readonly scopes: readonly Scope[];
  readonly tables: TableRights | null;
  /**
   * Identifies the database account that has exactly the key's rights for queries. If empty, it is the
   * account for all tables of the database.
   */
  readonly rightsHash: string;
  readonly origins: readonly string[] | null;
  readonly rate: Rate | null;
  /**
   * The maximum estimated number of rows that a statement may examine. If null, the setting of the database
   * applies.
   */
  readonly rowsExaminedMax: number | null;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
}

/** The location and the settings of a database in the form in which the gateway reads them. */
export interface DatabaseRecord {
  readonly id: string;
  readonly cellId: string;
  readonly projectId: string;
  readonly projectName: string;
  /**
   * The account that created the project. It does not change if the project is moved. Null or absent in older
   * records.
   */
  readonly accountId?: string | null;
  readonly environment: string;
  /**
   * The name of the database's schema on its server: `p` followed by base32. It contains neither `_` nor `%`.
   */
  readonly schemaName: string;
  readonly generation: number;
  readonly locationState: LocationState;
  /**
   * The end of the write pause while the state is `moving`, in milliseconds by the clock of the platform
   * database.
   */
  readonly movingUntilMs: number | null;
  /**
   * Whether requests may currently be paused. If so, the gateway reads the published snapshot from the
   * platform database. Absent in records that older versions wrote.
   */
  readonly requestsPaused?: boolean;
  readonly docsSlug: string;
  readonly settings: DatabaseSettings;
  readonly snapshotNumber: number;
  readonly snapshotHash: string;
  /** Whether the database exceeds its storage quota. Requests that create records are then rejected. */
  readonly isStorageFull: boolean;
  /**
   * The version of the database row, for cache checks. It changes with the settings, accounts and location of
   * the database, but not with its schema snapshots.
   */
  readonly version: number;
  readonly server: ServerRecord;
  readonly accounts: readonly AccountRecord[];
  /**
   * The language model of the project. If null, questions are sent to the model of the installation, if there
   * is one.
   */
  readonly languageModel: ProjectModelRecord | null;
}

/** A language model that a project has configured. Its API key is encrypted until it is used. */
export interface ProjectModelRecord {
  readonly baseUrl: string;
  readonly model: string;
  /** The encrypted API key as base64. Null if the model needs none. */
  readonly keySealed: string | null;
  /** The version of the configuration, which increases with every change of it. */
  readonly version: number;
}

export type LocationState = 'live' | 'moving' | 'waking' | 'asleep' | 'suspended';

/** One of several addresses of a server. */
export interface ServerNode {
  readonly host: string;
  readonly port: number;
  /**
   * The port that workers can use if the regular port has no free connection. Null or absent if the server
   * has none.
   */
  readonly admin_port?: number | null;
}

export interface ServerRecord {
  readonly id: string;
  readonly host: string;
  readonly port: number;
  /** The other nodes of a cluster, in the order in which they are tried. Absent in older records. */
  readonly nodes?: readonly ServerNode[];
  readonly tls: 'off' | 'required';
  readonly engine: EngineKind;
  readonly capabilities: EngineCapabilities;
  readonly connectionsMax: number;
}

/**
 * An account of the platform on a tenant's database server. Its password is encrypted with AES-256-GCM and
 * the master key until it is used.
 */
export interface AccountRecord {
  /**
   * The purpose of the account. `query` runs read-only SQL of users. `query_write` runs SQL for API keys with
   * the scope `query:write`.
   */
  readonly kind: 'rows' | 'query' | 'query_write' | 'migrator';
  readonly rightsHash: string;
  readonly userName: string;
  /** The encrypted password as base64. */
  readonly secretSealed: string;
}

/** A license, with either an SPDX identifier or the URL of its text. */
export interface License {
  readonly name: string;
  readonly identifier?: string | undefined;
  readonly url?: string | undefined;
}

/** The appearance of the public docs page. Null members have a default. */
export interface DocsPageSettings {
  /** The title, which is the project's name by default. */
  readonly title: string | null;
  /** Plain text that is shown above the reference. Empty lines separate paragraphs. */
  readonly intro: string | null;
  /** The color of links and buttons, such as `#1f6249`. */
  readonly accent_color: string | null;
  /** A small PNG, JPEG or WebP image as a data URL. */
  readonly logo: string | null;
}

export interface DatabaseSettings {
  readonly unknown_fields: 'reject' | 'ignore';
  readonly require_limit: boolean;
  /** The tables whose records can be changed and deleted only with `If-Match`. */
  readonly require_if_match: readonly string[];
  readonly docs_enabled: boolean;
  /** If null, the docs page has the default appearance. */
  readonly docs_page: DocsPageSettings | null;
  /** The license in the OpenAPI document. If null, the document says that no license is stated. */
  readonly license: License | null;
  readonly regex_enabled: boolean;
  readonly time_zone: string;
  readonly hidden_columns: Readonly<Record<string, readonly string[]>>;
  /** The columns whose values are not collected for questions, by table. */
  readonly unindexed_columns: Readonly<Record<string, readonly string[]>>;
  /**
   * The origins of web pages that may call the API. Null allows all. An API key can restrict them further.
   */
  readonly allowed_origins: readonly string[] | null;
  /** The TINYINT(1) columns that clients read and write as numbers instead of booleans, by table. */
  readonly number_columns: Readonly<Record<string, readonly string[]>>;
  readonly rate: Rate | null;
  /**
   * The maximum estimated number of rows that one statement may examine. If null, the operator's setting
   * applies.
   */
  readonly rows_examined_max: number | null;
  /**
   * The number of seconds after which a schema change ends idle transactions that block it. If null, the
   * schema change waits for them.
   */
  readonly end_idle_transactions_after_seconds: number | null;
  /**
   * Whether questions may be sent to a language model. The model receives the schema. It receives no values
   * from rows, except values that the question contains.
   */
  readonly language_model: boolean;
  /** The maximum number of tokens that the project may use per day. If null, the operator's limit applies. */
  readonly language_model_tokens_per_day: number | null;
  /** Whether questions are stored for 30 days, so that members of the organization can review them. */
  readonly question_history: boolean;
  /** The number of hours between automatic backups. If null, no backups are created automatically. */
  readonly backup_every_hours: number | null;
}

export const DEFAULT_DATABASE_SETTINGS: DatabaseSettings = {
  unknown_fields: 'reject',
  require_limit: false,
  require_if_match: [],
  docs_enabled: true,
  docs_page: null,
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

import type { EngineKind, Snapshot } from '@rowhouse/schema-model';
import type { MigrationPlan } from './migration.js';
import type { DatabaseSettings, TableRights } from './records.js';
import type {
  ExportPayload,
  LoadPayload,
  ReadImportPayload,
  ReadImportResult,
  SeedPayload,
  SeedResult,
} from './transfers.js';

/**
 * A job notification, which names the row to read. The row decides what to do, so a lost or repeated
 * notification is harmless.
 */
export type JobNotification =
  | { readonly kind: 'migration'; readonly id: string; readonly attempt: number }
  | { readonly kind: 'task'; readonly id: string; readonly attempt: number };

/**
 * Work that only the worker can do, because only it has server credentials. The control plane inserts a
 * `task` row, notifies a worker and waits for the row to change. Payload and result are JSON. Secrets in them
 * are encrypted under the master key (base64) and deleted when the task is done.
 */
export interface TaskMap {
  /**
   * Creates the schema, the internal schema and the platform accounts, and publishes snapshot 1, which is
   * empty.
   */
  readonly provision_database: { payload: { database_id: string }; result: { schema_name: string } };
  /** Drops the schema, the internal schema, the accounts and the connection users. */
  readonly drop_database: { payload: { database_id: string }; result: Record<string, never> };
  /** Creates a connection user. The control plane sends the password encrypted and shows it once. */
  readonly create_connection: {
    payload: {
      connection_id: string;
      database_id: string;
      role: ConnectionRole;
      user_name: string;
      password_sealed: string;
      require_tls: boolean;
    };
    result: Record<string, never>;
  };
  /**
   * Locks the account, replaces its password, kills its sessions, and drops it once no object names it as
   * DEFINER.
   */
  readonly revoke_connection: {
    payload: { connection_id: string; database_id: string; user_name: string };
    result: { sessions_killed: number };
  };
  /**
   * Sets a new password, which is sent encrypted. With `keep_previous`, the previous password stays valid
   * too.
   */
  readonly rotate_connection: {
    payload: {
      connection_id: string;
      database_id: string;
      user_name: string;
      password_sealed: string;
      keep_previous: boolean;
    };
    result: Record<string, never>;
  };
  /**
   * Signs in with a given password, at the address of the connection string if it is reachable, otherwise at
   * the server itself.
   */
  readonly test_connection: {
    payload: {
      connection_id: string;
      database_id: string;
      user_name: string;
      password_sealed: string;
      host: string;
      port: number;
      tls: boolean;
      ca: string | null;
    };
    result: ConnectionTestResult;
  };
  /** Invalidates the password before the last rotation. */
  readonly end_rotation: {
    payload: { connection_id: string; database_id: string; user_name: string };
    result: Record<string, never>;
  };
  /**
   * Creates or updates the account of one set of table rights.
   *
   * - `query` (the default) gets SELECT on the tables with `read`, or on all tables for ''.
   * - `query_write` gets what the verbs of each table allow. The table '' stands for every table.
   * - `ahead` only grants what the account lacks once these columns are hidden, and revokes nothing.
   * - `after_seq` revokes only after every gateway has applied this entry of the change log.
   */
  readonly grant_rights: {
    payload: {
      database_id: string;
      rights_hash: string;
      tables: TableRights | null;
      kind?: 'query' | 'query_write';
      ahead?: DatabaseSettings['hidden_columns'];
      after_seq?: number;
    };
    result: { user_name: string };
  };
  /** Applies SQL text to a scratch database on the target's own server, and reads the result. */
  readonly plan_schema: { payload: PlanSchemaPayload; result: PlanSchemaResult };
  /**
   * Plans the revert of a migration: from the current schema to the snapshot before the migration, including
   * soft-deleted data.
   */
  readonly plan_revert: {
    payload: { database_id: string; migration_id: string };
    result: { plan: MigrationPlan };
  };
  /** Writes a consistent copy of a database to a file. */
  readonly export_database: { payload: ExportPayload; result: { rows: number } };
  /** Reads an uploaded dump: its schema into a draft, and its rows into the chunks of the file. */
  readonly read_import: { payload: ReadImportPayload; result: ReadImportResult };
  /** Creates a database from a file. It becomes ready once schema and rows are loaded and compared. */
  readonly restore_database: { payload: LoadPayload; result: { rows: number } };
  /** Loads the rows of a file into empty tables of a running database. */
  readonly load_rows: { payload: LoadPayload; result: { rows: number } };
  /** Creates sample rows in one transaction. */
  readonly seed_rows: { payload: SeedPayload; result: SeedResult };
  /** Checks a new server: connects, reads its engine and capabilities, and stores them. */
  readonly probe_server: {
    payload: { server_id: string };
    result: { engine: string; engine_version: string };
  };
}

/** Why a server rejected a sign-in. `sessions` means that the account has reached its connection limit. */
export type SignInFault = 'password' | 'locked' | 'sessions' | 'other';

/**
 * The result of a test sign-in. `reaches_address` is true when the sign-in used the address of the connection
 * string. It is false when the platform cannot reach the server at that address. The result then comes from
 * the server's internal address.
 */
export interface ConnectionTestResult {
  readonly fault: SignInFault | null;
  readonly reaches_address: boolean;
  /** The server's version; null if the sign-in failed. */
  readonly server_version: string | null;
  /** The number of tables and views visible to the account; null if the sign-in failed. */
  readonly tables: number | null;
  /** The duration of the sign-in and one statement, in milliseconds. */
  readonly took_ms: number;
}

/**
 * The states of a task row. `done` comes with `result` and `failed` with `error` (a `TaskError`). Both are
 * final.
 */
export type TaskState = 'queued' | 'running' | 'done' | 'failed';

/** The decrypted JSON of `server.provisioner_sealed` and `server.observer_sealed`. */
export interface ServerCredential {
  readonly user: string;
  readonly password: string;
}

/** The purpose under which a connection user's password is encrypted with the master key. */
export type ConnectionSecretPurpose = `connection:${string}`;

export type TaskKind = keyof TaskMap;
export type TaskPayload<K extends TaskKind> = TaskMap[K]['payload'];
export type TaskResult<K extends TaskKind> = TaskMap[K]['result'];
export type ConnectionRole = 'owner' | 'read-write' | 'read-only';

export interface PlanSchemaPayload {
  readonly project_id: string;
  /** The working schema to start from: its newest revision, or null for an empty one. */
  readonly base: Snapshot | null;
  /**
   * The revision of `base`. Defaults to the newest. Renames between this revision and the deployed one are
   * applied. They are reversed when this revision is older.
   */
  readonly revision?: number;
  /** `replace`: the text is the whole schema. `apply`: the text changes the base. */
  readonly mode: 'replace' | 'apply';
  readonly sql: string;
  /** The databases to plan for. Empty when only the draft is needed. */
  readonly target_database_ids: readonly string[];
  /** The engine to draft for if neither `base` nor a database of the project implies one. */
  readonly engine?: EngineKind;
}

export interface PlanSchemaResult {
  /** The draft after applying the text, as the engine describes it. */
  readonly draft: Snapshot;
  /** Skipped parts of the text, such as SET lines, DEFINER clauses and mapped collations. */
  readonly notes: readonly string[];
  /**
   * Whether the text moves a name from one object to another. This is a change even if the resulting schema
   * looks the same.
   */
  readonly passesNames?: boolean;
  readonly plans: readonly MigrationPlan[];
}

/** The error of a failed task. `code` is one of `ERROR_CODES`. */
export interface TaskError {
  readonly code: string;
  readonly detail: string;
  readonly hint?: string;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/**
 * Returns the BullMQ id of a job. BullMQ never runs a completed id again, so the id contains the attempt. It
 * must not contain `:`.
 */
export function jobNotificationId(job: JobNotification): string {
  return `${job.id}_${job.attempt}`;
}

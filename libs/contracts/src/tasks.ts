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
 * A notification about a job, which contains the id of the row to read. Only the row determines what to do,
 * so a notification that is lost or repeated does no harm.
 */
export type JobNotification =
  | { readonly kind: 'migration'; readonly id: string; readonly attempt: number }
  | { readonly kind: 'task'; readonly id: string; readonly attempt: number };

/**
 * Tasks that only a worker can do, because only workers have the credentials of database servers. The control
 * plane inserts a `task` row, notifies a worker and waits for the row to change. The payload and the result
 * are JSON. Secrets in them are encrypted with the master key (as base64) and deleted when the task is done.
 */
export interface TaskMap {
  /**
   * Creates the schema of a database, its internal schema and the platform's accounts. Publishes snapshot 1,
   * which is empty.
   */
  readonly provision_database: { payload: { database_id: string }; result: { schema_name: string } };
  /**
   * Drops the schema of a database, its internal schema, the platform's accounts and the connection users.
   */
  readonly drop_database: { payload: { database_id: string }; result: Record<string, never> };
  /**
   * Creates a connection user. The control plane sends the password in encrypted form, and shows it to the
   * user once.
   */
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
   * Locks the account of a connection, replaces its password and ends its sessions. The account is dropped
   * when no object names it as DEFINER.
   */
  readonly revoke_connection: {
    payload: { connection_id: string; database_id: string; user_name: string };
    result: { sessions_killed: number };
  };
  /**
   * Sets a new password, which is sent in encrypted form. With `keep_previous`, the previous password remains
   * valid too.
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
   * Tests a sign-in with a given password. It uses the address of the connection string if the platform can
   * reach it, and otherwise the server's internal address.
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
  /** Makes the password before the last rotation invalid. */
  readonly end_rotation: {
    payload: { connection_id: string; database_id: string; user_name: string };
    result: Record<string, never>;
  };
  /**
   * Creates or updates the database account for one set of table rights.
   *
   * - The kind `query` (the default) gets SELECT on the tables with `read`. If the hash of the rights is
   *   empty, it gets SELECT on all tables.
   * - The kind `query_write` gets the rights that the verbs of each table allow. The table '' means every
   *   table.
   * - With `ahead`, the task only grants rights that the account will need when these columns are hidden. It
   *   revokes nothing.
   * - With `after_seq`, the task revokes rights only after every gateway has applied this entry of the change
   *   log.
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
  /**
   * Applies SQL text to a scratch database on the server of the target database, and reads the resulting
   * schema.
   */
  readonly plan_schema: { payload: PlanSchemaPayload; result: PlanSchemaResult };
  /**
   * Plans the revert of a migration, from the current schema to the snapshot before the migration.
   * Soft-deleted data is restored.
   */
  readonly plan_revert: {
    payload: { database_id: string; migration_id: string };
    result: { plan: MigrationPlan };
  };
  /** Writes a consistent copy of a database to a file. */
  readonly export_database: { payload: ExportPayload; result: { rows: number } };
  /** Reads an uploaded dump. Its schema becomes a draft, and its rows are stored in the chunks of a file. */
  readonly read_import: { payload: ReadImportPayload; result: ReadImportResult };
  /**
   * Creates a database from a file. The database becomes ready when its schema and rows are loaded and
   * compared with the file.
   */
  readonly restore_database: { payload: LoadPayload; result: { rows: number } };
  /** Loads the rows of a file into empty tables. The database may be in use. */
  readonly load_rows: { payload: LoadPayload; result: { rows: number } };
  /** Creates sample rows in one transaction. */
  readonly seed_rows: { payload: SeedPayload; result: SeedResult };
  /** Checks a new server: connects to it, and stores its engine and capabilities. */
  readonly probe_server: {
    payload: { server_id: string };
    result: { engine: string; engine_version: string };
  };
}

/**
 * The reason why a server rejected a sign-in. `sessions` means that the account has reached its maximum
 * number of connections.
 */
export type SignInFault = 'password' | 'locked' | 'sessions' | 'other';

/**
 * The result of a test sign-in. `reaches_address` is true if the sign-in used the address of the connection
 * string. If the platform cannot reach the server at that address, it is false, and the sign-in used the
 * server's internal address.
 */
export interface ConnectionTestResult {
  readonly fault: SignInFault | null;
  readonly reaches_address: boolean;
  /** The version of the server. Null if the sign-in failed. */
  readonly server_version: string | null;
  /** The number of tables and views that are visible to the account. Null if the sign-in failed. */
  readonly tables: number | null;
  /** The time in milliseconds for signing in and running one statement. */
  readonly took_ms: number;
}

/**
 * The states of a task row. A row in the state `done` has a `result`. A row in the state `failed` has an
 * `error`, which is a `TaskError`. Both states are final.
 */
export type TaskState = 'queued' | 'running' | 'done' | 'failed';

/** The decrypted JSON in `server.provisioner_sealed` and `server.observer_sealed`. */
export interface ServerCredential {
  readonly user: string;
  readonly password: string;
}

/** The purpose for encrypting the password of a connection user with the master key. */
export type ConnectionSecretPurpose = `connection:${string}`;

export type TaskKind = keyof TaskMap;
export type TaskPayload<K extends TaskKind> = TaskMap[K]['payload'];
export type TaskResult<K extends TaskKind> = TaskMap[K]['result'];
export type ConnectionRole = 'owner' | 'read-write' | 'read-only';

export interface PlanSchemaPayload {
  readonly project_id: string;
  /** The newest revision of the draft schema, to which the text is applied. Null if the draft is empty. */
  readonly base: Snapshot | null;
  /**
   * The revision of `base`. The default is the newest. Renames between this revision and the deployed one are
   * applied. If this revision is older than the deployed one, they are reversed.
   */
  readonly revision?: number;
  /** With `replace`, the text is the complete new schema. With `apply`, the text changes `base`. */
  readonly mode: 'replace' | 'apply';
  readonly sql: string;
  /** The databases for which migrations are planned. Empty if only the draft is needed. */
  readonly target_database_ids: readonly string[];
  /** The engine for the draft, if neither `base` nor a database of the project determines it. */
  readonly engine?: EngineKind;
}

export interface PlanSchemaResult {
  /** The draft after the text was applied, in the form in which the engine describes it. */
  readonly draft: Snapshot;
  /** Text that was skipped or changed, such as SET lines, DEFINER clauses and replaced collations. */
  readonly notes: readonly string[];
  /**
   * Whether the text gives the name of one object to another. This is a change even if the resulting schema
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
 * Returns the BullMQ id of a job. BullMQ does not run a completed id again, so the id contains the number of
 * the attempt. It must not contain `:`.
 */
export function jobNotificationId(job: JobNotification): string {
  return `${job.id}_${job.attempt}`;
}

import type { Snapshot } from '@rowhouse/schema-model';
import type { MigrationPlan } from './migration.js';
import type { DatabaseSettings, TableRights } from './records.js';
import type { ExportPayload, LoadPayload, ReadImportPayload, ReadImportResult, SeedPayload, SeedResult } from './transfers.js';

/**
 * Work that only the worker can do, since it alone holds server credentials. The control plane inserts a
 * `task` row, wakes a worker and waits on the row. Payload and result are JSON; secrets in them are sealed
 * under the master key (base64) and wiped when the task is done.
 */
export interface TaskMap {
  /** Makes schema, side schema and the three platform accounts; publishes snapshot 1 (empty). */
  readonly provision_database: { payload: { database_id: string }; result: { schema_name: string } };
  /** Drops schema, side schema, accounts and connection users. */
  readonly drop_database: { payload: { database_id: string }; result: Record<string, never> };
  /** The password comes sealed from the control plane, which shows it once. */
  readonly create_connection: {
    payload: { connection_id: string; database_id: string; role: ConnectionRole; user_name: string; password_sealed: string; require_tls: boolean };
    result: Record<string, never>;
  };
  /** Locks the account, scrambles its password, kills its sessions until none is left, drops it when nothing names it as DEFINER. */
  readonly revoke_connection: { payload: { connection_id: string; database_id: string; user_name: string }; result: { sessions_killed: number } };
  /** A new password, sealed likewise; the one before holds beside it when `keep_previous` says so. */
  readonly rotate_connection: {
    payload: { connection_id: string; database_id: string; user_name: string; password_sealed: string; keep_previous: boolean };
    result: Record<string, never>;
  };
  /** Signs in with a password that somebody has: at the address that its connection string names, else at the server itself. */
  readonly test_connection: {
    payload: { connection_id: string; database_id: string; user_name: string; password_sealed: string; host: string; port: number; tls: boolean; ca: string | null };
    result: ConnectionTestResult;
  };
  /** Ends the password before the last rotation. */
  readonly end_rotation: { payload: { connection_id: string; database_id: string; user_name: string }; result: Record<string, never> };
  /**
   * Makes or refreshes the account of one set of table rights. `query` (when it is not said): SELECT on the tables with
   * `read`, on all for ''. `query_write`: what the verbs of each table allow; the table '' stands for every table.
   * `ahead`: only grants what the account lacks when these columns are hidden, and revokes nothing. `after_seq`: revokes
   * only once every gateway has applied this entry of the change log.
   */
  readonly grant_rights: {
    payload: {
      database_id: string; rights_hash: string; tables: TableRights | null; kind?: 'query' | 'query_write';
      ahead?: DatabaseSettings['hidden_columns']; after_seq?: number;
    };
    result: { user_name: string };
  };
  /** Applies text to a scratch database on the target's own server and reads the result back. */
  readonly plan_schema: { payload: PlanSchemaPayload; result: PlanSchemaResult };
  /** The way back of a migration: from what stands to the snapshot it started from, with what it still keeps. */
  readonly plan_revert: { payload: { database_id: string; migration_id: string }; result: { plan: MigrationPlan } };
  /** Writes a consistent copy of a database into a file. */
  readonly export_database: { payload: ExportPayload; result: { rows: number } };
  /** Reads an uploaded dump: its schema into a draft, its rows into the file's pieces. */
  readonly read_import: { payload: ReadImportPayload; result: ReadImportResult };
  /** Makes a database out of a file: it is ready once schema and rows are in and compared. */
  readonly restore_database: { payload: LoadPayload; result: { rows: number } };
  /** Brings a file's rows into empty tables of a database that serves. */
  readonly load_rows: { payload: LoadPayload; result: { rows: number } };
  /** Makes sample rows, all or none of them. */
  readonly seed_rows: { payload: SeedPayload; result: SeedResult };
  /** Checks a new server row: connects, reads its engine and capabilities, writes them to the row. */
  readonly probe_server: { payload: { server_id: string }; result: { engine: string; engine_version: string } };
}

/** Why a server did not let an account in: `sessions`, as many as it may have are open. */
export type SignInFault = 'password' | 'locked' | 'sessions' | 'other';

/**
 * How a sign-in went. `reaches_address`: it was at the address of the connection string; false: nothing answers there to
 * where the platform runs, or something else does, and what is told was found at the server itself.
 */
export interface ConnectionTestResult {
  readonly fault: SignInFault | null;
  readonly reaches_address: boolean;
  /** Null with a fault. */
  readonly server_version: string | null;
  /** Tables and views that the account sees; null with a fault. */
  readonly tables: number | null;
  /** Of the sign-in and one statement. */
  readonly took_ms: number;
}

/** The life of a task row. `done` carries `result`, `failed` carries `error` (a `TaskError`); both are ends. */
export type TaskState = 'queued' | 'running' | 'done' | 'failed';

/** What `server.provisioner_sealed` and `server.observer_sealed` hold once opened, as JSON. */
export interface ServerCredential {
  readonly user: string;
  readonly password: string;
}

/** The purpose under which a connection user's password is sealed with the master key. */
export type ConnectionSecretPurpose = `connection:${string}`;

export type TaskKind = keyof TaskMap;
export type TaskPayload<K extends TaskKind> = TaskMap[K]['payload'];
export type TaskResult<K extends TaskKind> = TaskMap[K]['result'];
export type ConnectionRole = 'owner' | 'read-write' | 'read-only';

export interface PlanSchemaPayload {
  readonly project_id: string;
  /** The working schema to start from: its newest revision, or null for an empty one. */
  readonly base: Snapshot | null;
  /** Of `base`; without it the newest. Renames made since the deployed one are followed, or turned round on the way back. */
  readonly revision?: number;
  /** `replace`: the text is the whole schema; `apply`: the text changes the base. */
  readonly mode: 'replace' | 'apply';
  readonly sql: string;
  /** Databases to plan for; may be empty when only the draft is wanted. */
  readonly target_database_ids: readonly string[];
}

export interface PlanSchemaResult {
  /** The draft after the text was applied, as the engine describes it. */
  readonly draft: Snapshot;
  /** What the text held and the platform did not take over (SET lines, DEFINER, mapped collations). */
  readonly notes: readonly string[];
  /** Whether the text gives a name to another object, so that it is a change even where the schema reads the same. */
  readonly passesNames?: boolean;
  readonly plans: readonly MigrationPlan[];
}

/** How a failed task says why; `code` is one of `ERROR_CODES`. */
export interface TaskError {
  readonly code: string;
  readonly detail: string;
  readonly hint?: string;
  readonly extra?: Readonly<Record<string, unknown>>;
}

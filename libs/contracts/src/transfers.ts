import type { Snapshot } from '@rowhouse/schema-model';
import { z } from 'zod';
import { chosenName } from './chosen-name.js';

export * from './transfer-limits.js';

/**
 * The origin of a data file. A file is created by an export, an import or a share link, and can be loaded
 * into a database. A file contains a schema and chunks of rows. Each chunk is one INSERT.
 */
export type TransferKind = 'export' | 'import' | 'share';
export type TransferFileState = 'writing' | 'ready' | 'failed';
export type LoadKind = 'restore' | 'rows';
export type LoadState = 'queued' | 'running' | 'verifying' | 'done' | 'failed' | 'cancelled';

/**
 * One table of a file. `digest` covers all rows in any order. It is null when the rows were not read from a
 * database.
 */
export interface TransferTable {
  readonly name: string;
  readonly rows: number;
  readonly digest: string | null;
  /** The next AUTO_INCREMENT value; null for a table without AUTO_INCREMENT. */
  readonly nextNumber: string | null;
}

/** A skipped part of a dump, with its line number. */
export interface ImportProblem {
  readonly line: number;
  /** The affected table, view, routine or account; otherwise empty. */
  readonly object: string;
  readonly reason: string;
}

export interface TransferManifest {
  readonly tables: readonly TransferTable[];
  /** Intentionally omitted parts, such as hidden columns and mapped collations. */
  readonly notes: readonly string[];
  readonly problems: readonly ImportProblem[];
  /** The total number of problems. `problems` contains the first ones. */
  readonly problemsTotal: number;
  /**
   * The hidden columns of the exported database. A database created from the file also hides them. Absent in
   * older files and when no column was hidden.
   */
  readonly hiddenColumns?: Readonly<Record<string, readonly string[]>>;
  /**
   * TINYINT(1) columns that the exported database treated as numbers. A database created from the file also
   * treats them as numbers.
   */
  readonly numberColumns?: Readonly<Record<string, readonly string[]>>;
  /** Objects that the file does not contain, as sentences. A restore reports them. */
  readonly leftOut?: readonly string[];
  /** Triggers that the dump creates before the rows of their tables. The triggers run for these rows. */
  readonly actingTriggers?: readonly string[];
}

export interface ExportPayload {
  readonly file_id: string;
  readonly database_id: string;
  /** The tables whose rows are included. Null includes all. */
  readonly tables: readonly string[] | null;
  /** Whether hidden columns are exported without their values. */
  readonly leaves_hidden_out: boolean;
}

export interface ReadImportPayload {
  readonly file_id: string;
  readonly project_id: string;
  readonly base: Snapshot | null;
  readonly mode: 'replace' | 'apply';
  /** The revision of `base`. The import stops when a newer revision was added in the meantime. */
  readonly base_revision: number;
  readonly created_by: string;
}
export interface ReadImportResult {
  /** The revision with the dump's schema, or the previous one if the dump changes nothing. */
  readonly revision: number;
}

/** The maximum number of sample rows per table in one request. */
const SEED_ROWS_PER_TABLE_MAX = 1_000;
export const SEED_ROWS_MAX = 20_000;

export interface SeedPayload {
  readonly database_id: string;
  /** The tables to fill. Null fills all. */
  readonly tables: readonly string[] | null;
  /** The number of rows per table. */
  readonly rows: number;
  readonly seed: string;
  /** Whether to add rows to tables that already have some, too. */
  readonly into_full: boolean;
}
/** The outcome for each requested table. */
export interface SeedResult {
  readonly rows: number;
  readonly tables: readonly {
    readonly name: string;
    readonly rows: number;
    readonly reason: string | null;
  }[];
}

export interface LoadPayload {
  readonly load_id: string;
  readonly file_id: string;
  readonly database_id: string;
  /** For a restore: the revision of the schema, for the history. */
  readonly revision: number;
}

const environment = z.string().regex(/^[a-z][a-z0-9-]{0,30}$/);

export const exportRequest = z
  .strictObject({
    /** The tables whose rows are included. Defaults to all. The schema is always complete. */
    tables: z.array(z.string().max(64)).max(10_000).optional(),
  })
  .prefault({});

export const restoreRequest = z.strictObject({ file: z.string().max(40), environment });
export const loadRowsRequest = z.strictObject({ file: z.string().max(40) });

export const seedRequest = z
  .strictObject({
    /** The tables to fill. Defaults to every empty table. */
    tables: z.array(z.string().max(64)).min(1).max(10_000).optional(),
    /** The number of rows per table. Defaults to 20. */
    rows: z.int().min(1).max(SEED_ROWS_PER_TABLE_MAX).optional(),
    /**
     * The seed of the generator. The same seed creates the same rows on the same day. Defaults to `rowhouse`.
     */
    seed: z.string().min(1).max(64).optional(),
    /** Whether to add rows to tables that already have some, too. */
    append: z.boolean().optional(),
    /** Confirms that sample rows may be added to production. */
    production: z.boolean().optional(),
  })
  .prefault({});

export const shareRequest = z.strictObject({
  name: chosenName.optional(),
  /**
   * The database whose schema is shared instead of the working schema, by id or environment. Required with
   * `data`.
   */
  database: z.string().max(40).optional(),
  /** Includes rows. Requires the role owner. */
  data: z.boolean().optional(),
  /** With `data`: the tables whose rows are included. Defaults to all. */
  tables: z.array(z.string().max(64)).max(10_000).optional(),
  expires_at: z.iso.datetime({ offset: true }).optional(),
});

export const cloneRequest = z
  .strictObject({
    name: chosenName.optional(),
    organization_id: z.string().max(40).optional(),
    /** Set to false to clone only the schema from a link with rows. */
    data: z.boolean().optional(),
  })
  .prefault({});

export const importQuery = z.strictObject({
  /** `apply` (the default) changes the draft by the statements of the dump. `replace` replaces the draft. */
  mode: z.enum(['apply', 'replace']).optional(),
});

export type ExportRequest = z.infer<typeof exportRequest>;
export type RestoreRequest = z.infer<typeof restoreRequest>;
export type LoadRowsRequest = z.infer<typeof loadRowsRequest>;
export type SeedRequest = z.infer<typeof seedRequest>;
export type ShareRequest = z.infer<typeof shareRequest>;
export type CloneRequest = z.infer<typeof cloneRequest>;
export type ImportQuery = z.infer<typeof importQuery>;

/** A file as returned by the API. */
export interface TransferFileResponse {
  id: string;
  kind: TransferKind;
  state: TransferFileState;
  /** The database that was exported. Null for an import. */
  database: string | null;
  /** The stored, compressed size. */
  bytes: number;
  rows: number;
  tables: { name: string; rows: number }[];
  notes: string[];
  /** The parts of an import that were skipped, by line. Contains the first 200 of `problems_total`. */
  problems: ImportProblem[];
  problems_total: number;
  /** The revision of the working schema that an import created. */
  revision: number | null;
  error: { code: string; detail: string } | null;
  created_at: string;
  finished_at: string | null;
  expires_at: string | null;
}

/** A running or finished load of rows into a database. */
export interface LoadResponse {
  id: string;
  kind: LoadKind;
  state: LoadState;
  database: string;
  file: string;
  rows_done: number;
  rows_total: number;
  /** Notes on values that were adjusted, foreign keys without a target row, and triggers that ran. */
  notes: string[];
  error: { code: string; detail: string; hint?: string; extra?: Readonly<Record<string, unknown>> } | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

/** The result of creating sample rows. The same `seed` creates them again. */
export interface SeedResponse {
  seed: string;
  rows: number;
  /** The number of rows by table. `reason` explains why a table received fewer rows than requested. */
  tables: { name: string; rows: number; reason: string | null }[];
}

export interface ShareResponse {
  id: string;
  name: string;
  data: boolean;
  state: TransferFileState;
  tables: { name: string; rows: number }[];
  /** The number of clones made from the link. */
  clones: number;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
}
/** A created share link. `token` and `url` are only returned once. */
export interface CreatedShareResponse extends ShareResponse {
  token: string;
  url: string;
}

/** The preview that anyone with the link sees before cloning. */
export interface SharePreviewResponse {
  name: string;
  data: boolean;
  tables: { name: string; rows: number }[];
  sql: string;
  expires_at: string | null;
}

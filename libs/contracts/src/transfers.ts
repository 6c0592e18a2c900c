import type { Snapshot } from '@rowhouse/schema-model';
import { z } from 'zod';
import { chosenName } from './chosen-name.js';

export * from './transfer-limits.js';

/**
 * How a data file was created: by an export, an import or a share link. A file can be loaded into a database.
 * It contains a schema and chunks of rows. Each chunk is one INSERT.
 */
export type TransferKind = 'export' | 'import' | 'share';
export type TransferFileState = 'writing' | 'ready' | 'failed';
export type LoadKind = 'restore' | 'rows';
export type LoadState = 'queued' | 'running' | 'verifying' | 'done' | 'failed' | 'cancelled';

/**
 * One table in a file. `digest` identifies all of its rows, whatever their order. It is null if the rows were
 * not read from a database.
 */
export interface TransferTable {
  readonly name: string;
  readonly rows: number;
  readonly digest: string | null;
  /** The next AUTO_INCREMENT value. Null if the table has no AUTO_INCREMENT column. */
  readonly nextNumber: string | null;
}

/** A skipped part of a dump, with its line number. */
export interface ImportProblem {
  readonly line: number;
  /** The affected table, view, routine or account. Empty if the problem concerns none of these. */
  readonly object: string;
  readonly reason: string;
}

export interface TransferManifest {
  readonly tables: readonly TransferTable[];
  /**
   * Notes on parts that were omitted or changed on purpose, such as hidden columns and replaced collations.
   */
  readonly notes: readonly string[];
  readonly problems: readonly ImportProblem[];
  /** The total number of problems. `problems` contains only the first of them. */
  readonly problemsTotal: number;
  /**
   * The hidden columns of the exported database. They are also hidden in a database that is created from the
   * file. Absent if no column was hidden, and in older files.
   */
  readonly hiddenColumns?: Readonly<Record<string, readonly string[]>>;
  /**
   * The TINYINT(1) columns that the exported database treats as numbers. A database that is created from the
   * file does the same.
   */
  readonly numberColumns?: Readonly<Record<string, readonly string[]>>;
  /** Sentences about objects that the file does not contain. A restore reports them. */
  readonly leftOut?: readonly string[];
  /** Triggers that the dump creates before the rows of their tables, so that they run for these rows. */
  readonly actingTriggers?: readonly string[];
}

export interface ExportPayload {
  readonly file_id: string;
  readonly database_id: string;
  /** The tables whose rows are exported. Null means all tables. */
  readonly tables: readonly string[] | null;
  /** Whether hidden columns are exported without their values. */
  readonly leaves_hidden_out: boolean;
}

export interface ReadImportPayload {
  readonly file_id: string;
  readonly project_id: string;
  readonly base: Snapshot | null;
  readonly mode: 'replace' | 'apply';
  /** The revision of `base`. The import fails if a newer revision was added in the meantime. */
  readonly base_revision: number;
  readonly created_by: string;
}
export interface ReadImportResult {
  /** The revision with the schema of the dump. If the dump changes nothing, it is the previous revision. */
  readonly revision: number;
}

/** The maximum number of sample rows for one table in one request. */
const SEED_ROWS_PER_TABLE_MAX = 1_000;
export const SEED_ROWS_MAX = 20_000;

export interface SeedPayload {
  readonly database_id: string;
  /** The tables to fill. Null means all tables. */
  readonly tables: readonly string[] | null;
  /** The number of rows for each table. */
  readonly rows: number;
  readonly seed: string;
  /** Whether tables that already have rows are filled too. */
  readonly into_full: boolean;
  /**
   * INSERT statements that replace the generated rows: the sample rows of a starter. They only run when all
   * tables are empty.
   */
  readonly statements?: readonly string[];
}
/** The result for each requested table. */
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
  /** The number of the schema revision that a restore adds to the history of the project. */
  readonly revision: number;
}

const environment = z.string().regex(/^[a-z][a-z0-9-]{0,30}$/);

export const exportRequest = z
  .strictObject({
    /** The tables whose rows are exported. The default is all tables. The schema is always complete. */
    tables: z.array(z.string().max(64)).max(10_000).optional(),
  })
  .prefault({});

export const restoreRequest = z.strictObject({ file: z.string().max(40), environment });
export const loadRowsRequest = z.strictObject({ file: z.string().max(40) });

export const seedRequest = z
  .strictObject({
    /** The tables to fill. The default is every empty table. */
    tables: z.array(z.string().max(64)).min(1).max(10_000).optional(),
    /** The number of rows for each table. The default is 20. */
    rows: z.int().min(1).max(SEED_ROWS_PER_TABLE_MAX).optional(),
    /**
     * The seed of the random generator. On the same day, the same seed results in the same rows. The default
     * is `rowhouse`.
     */
    seed: z.string().min(1).max(64).optional(),
    /** Whether tables that already have rows are filled too. */
    append: z.boolean().optional(),
    /** Confirms that sample rows may be added to the production database. */
    production: z.boolean().optional(),
    /**
     * Inserts the sample rows of this starter instead of generated ones. The database must have the tables of
     * the starter, and they must be empty.
     */
    starter: z.enum(['blog', 'shop']).optional(),
  })
  .refine(
    ({ starter, tables, rows, seed, append }) =>
      starter === undefined || [tables, rows, seed, append].every((member) => member === undefined),
    { message: 'A starter has its own rows. Leave out tables, rows, seed and append.', path: ['starter'] },
  )
  .prefault({});

export const shareRequest = z.strictObject({
  name: chosenName.optional(),
  /**
   * The database, by id or environment, whose schema is shared instead of the draft schema. Required with
   * `data`.
   */
  database: z.string().max(40).optional(),
  /** Whether rows are shared too. Requires the role owner. */
  data: z.boolean().optional(),
  /** With `data`: the tables whose rows are shared. The default is all tables. */
  tables: z.array(z.string().max(64)).max(10_000).optional(),
  expires_at: z.iso.datetime({ offset: true }).optional(),
});

export const cloneRequest = z
  .strictObject({
    name: chosenName.optional(),
    organization_id: z.string().max(40).optional(),
    /** If false, only the schema is cloned from a link that includes rows. */
    data: z.boolean().optional(),
  })
  .prefault({});

export const importQuery = z.strictObject({
  /**
   * With `apply`, which is the default, the statements of the dump change the draft. With `replace`, the dump
   * replaces the draft.
   */
  mode: z.enum(['apply', 'replace']).optional(),
});

export type ExportRequest = z.infer<typeof exportRequest>;
export type RestoreRequest = z.infer<typeof restoreRequest>;
export type LoadRowsRequest = z.infer<typeof loadRowsRequest>;
export type SeedRequest = z.infer<typeof seedRequest>;
export type ShareRequest = z.infer<typeof shareRequest>;
export type CloneRequest = z.infer<typeof cloneRequest>;
export type ImportQuery = z.infer<typeof importQuery>;

/** A file in the form in which the API returns it. */
export interface TransferFileResponse {
  id: string;
  kind: TransferKind;
  state: TransferFileState;
  /** The database that was exported. Null for an import. */
  database: string | null;
  /** The size of the stored, compressed file in bytes. */
  bytes: number;
  rows: number;
  tables: { name: string; rows: number }[];
  notes: string[];
  /** The skipped parts of an import, by line. Contains the first 200 of `problems_total`. */
  problems: ImportProblem[];
  problems_total: number;
  /** The revision of the draft schema that an import created. Null if no revision was created. */
  revision: number | null;
  error: { code: string; detail: string } | null;
  created_at: string;
  finished_at: string | null;
  expires_at: string | null;
}

/** A load of rows into a database, which is running or has ended. */
export interface LoadResponse {
  id: string;
  kind: LoadKind;
  state: LoadState;
  database: string;
  file: string;
  rows_done: number;
  rows_total: number;
  /** Notes about changed values, foreign keys that refer to a missing row, and triggers that ran. */
  notes: string[];
  error: { code: string; detail: string; hint?: string; extra?: Readonly<Record<string, unknown>> } | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

/** The result of creating sample rows. With the same `seed`, the same rows are created again. */
export interface SeedResponse {
  seed: string;
  rows: number;
  /**
   * The number of created rows in each table. `reason` explains why a table got fewer rows than requested.
   */
  tables: { name: string; rows: number; reason: string | null }[];
}

export interface ShareResponse {
  id: string;
  name: string;
  data: boolean;
  state: TransferFileState;
  tables: { name: string; rows: number }[];
  /** The number of clones that were created from the link. */
  clones: number;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
}
/** A share link that was just created. `token` and `url` are returned only once. */
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

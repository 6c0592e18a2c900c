import type { Snapshot } from '@rowhouse/schema-model';
import { z } from 'zod';
import { chosenName } from './chosen-name.js';

export * from './transfer-limits.js';

/**
 * Data that goes from one database to another: as a file of the platform (made by an export, by an import or for a share
 * link) and as a load of such a file into a database. A file is a schema and pieces of rows, each piece one INSERT.
 */
export type TransferKind = 'export' | 'import' | 'share';
export type TransferFileState = 'writing' | 'ready' | 'failed';
export type LoadKind = 'restore' | 'rows';
export type LoadState = 'queued' | 'running' | 'verifying' | 'done' | 'failed' | 'cancelled';

/** One table of a file. `digest` is over all rows, whatever their order; null where the rows came from elsewhere. */
export interface TransferTable {
  readonly name: string;
  readonly rows: number;
  readonly digest: string | null;
  /** What AUTO_INCREMENT gives next; null without one. */
  readonly nextNumber: string | null;
}

/** What a dump held and was not taken, by its line. */
export interface ImportProblem {
  readonly line: number;
  /** The table, view, routine or account that it is about; empty when there is none. */
  readonly object: string;
  readonly reason: string;
}

export interface TransferManifest {
  readonly tables: readonly TransferTable[];
  /** What was left out on purpose: hidden columns, mapped collations. */
  readonly notes: readonly string[];
  readonly problems: readonly ImportProblem[];
  /** How many there were, of which `problems` holds the first. */
  readonly problemsTotal: number;
  /** What the database hid that was exported: one that is made of the file hides it too. Missing in files of before, and where nothing was. */
  readonly hiddenColumns?: Readonly<Record<string, readonly string[]>>;
  /** TINYINT(1) columns that the database treated as numbers. A database made of the file treats them so too. */
  readonly numberColumns?: Readonly<Record<string, readonly string[]>>;
  /** What the database had and the file does not hold, in sentences: a restore reports them. */
  readonly leftOut?: readonly string[];
  /** Triggers that exist before the rows of their tables come in, as in the dump: they act on these rows. */
  readonly actingTriggers?: readonly string[];
}

export interface ExportPayload {
  readonly file_id: string;
  readonly database_id: string;
  /** Tables whose rows go along; null: all. */
  readonly tables: readonly string[] | null;
  /** Hidden columns go without their values. */
  readonly leaves_hidden_out: boolean;
}

export interface ReadImportPayload {
  readonly file_id: string;
  readonly project_id: string;
  readonly base: Snapshot | null;
  readonly mode: 'replace' | 'apply';
  /** Of `base`; another newest one meanwhile ends the import. */
  readonly base_revision: number;
  readonly created_by: string;
}
export interface ReadImportResult {
  /** The revision that the dump's schema is; the one before when it changes nothing. */
  readonly revision: number;
}

/** The most sample rows that a table, and a database in one go, are given. */
const SEED_ROWS_PER_TABLE_MAX = 1_000;
export const SEED_ROWS_MAX = 20_000;

export interface SeedPayload {
  readonly database_id: string;
  /** Tables to fill; null: all. */
  readonly tables: readonly string[] | null;
  /** For each table. */
  readonly rows: number;
  readonly seed: string;
  /** Tables that have rows get more; without it they are left alone. */
  readonly into_full: boolean;
}
/** What became of each table that was asked for. */
export interface SeedResult {
  readonly rows: number;
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly reason: string | null }[];
}

export interface LoadPayload {
  readonly load_id: string;
  readonly file_id: string;
  readonly database_id: string;
  /** Of a restore: the revision that the schema is of, for the history. */
  readonly revision: number;
}

const environment = z.string().regex(/^[a-z][a-z0-9-]{0,30}$/);

export const exportRequest = z.strictObject({
  /** Tables whose rows go along; without it all. The schema is always whole. */
  tables: z.array(z.string().max(64)).max(10_000).optional(),
}).prefault({});

export const restoreRequest = z.strictObject({ file: z.string().max(40), environment });
export const loadRowsRequest = z.strictObject({ file: z.string().max(40) });

export const seedRequest = z.strictObject({
  /** Tables to fill; without it every empty table. */
  tables: z.array(z.string().max(64)).min(1).max(10_000).optional(),
  /** For each table; 20 unless said. */
  rows: z.int().min(1).max(SEED_ROWS_PER_TABLE_MAX).optional(),
  /** The same seed makes the same rows, on one day; `rowhouse` unless said. */
  seed: z.string().min(1).max(64).optional(),
  /** Tables that have rows get more. */
  append: z.boolean().optional(),
  /** Needed where the environment serves users. */
  production: z.boolean().optional(),
}).prefault({});

export const shareRequest = z.strictObject({
  name: chosenName.optional(),
  /** The schema that this database runs, instead of the working schema; needed with `data`. By id or environment. */
  database: z.string().max(40).optional(),
  /** Rows go along. Needs the role owner. */
  data: z.boolean().optional(),
  /** With `data`: tables whose rows go along; without it all. */
  tables: z.array(z.string().max(64)).max(10_000).optional(),
  expires_at: z.iso.datetime({ offset: true }).optional(),
});

export const cloneRequest = z.strictObject({
  name: chosenName.optional(),
  organization_id: z.string().max(40).optional(),
  /** False: the schema alone, though the link has rows. */
  data: z.boolean().optional(),
}).prefault({});

export const importQuery = z.strictObject({
  /** `apply` (unless said otherwise) changes the draft by what the dump says; `replace` puts it in its place. */
  mode: z.enum(['apply', 'replace']).optional(),
});

export type ExportRequest = z.infer<typeof exportRequest>;
export type RestoreRequest = z.infer<typeof restoreRequest>;
export type LoadRowsRequest = z.infer<typeof loadRowsRequest>;
export type SeedRequest = z.infer<typeof seedRequest>;
export type ShareRequest = z.infer<typeof shareRequest>;
export type CloneRequest = z.infer<typeof cloneRequest>;
export type ImportQuery = z.infer<typeof importQuery>;

/** A file as callers see it. */
export interface TransferFileAnswer {
  id: string;
  kind: TransferKind;
  state: TransferFileState;
  /** The database that it was exported from; null for an import. */
  database: string | null;
  /** Compressed, as it is kept. */
  bytes: number;
  rows: number;
  tables: { name: string; rows: number }[];
  notes: string[];
  /** Of an import: what was not taken, by line; the first 200 of `problems_total`. */
  problems: ImportProblem[];
  problems_total: number;
  /** Of an import: the revision of the working schema that it made. */
  revision: number | null;
  error: { code: string; detail: string } | null;
  created_at: string;
  finished_at: string | null;
  expires_at: string | null;
}

/** Rows on their way into a database. */
export interface LoadAnswer {
  id: string;
  kind: LoadKind;
  state: LoadState;
  database: string;
  file: string;
  rows_done: number;
  rows_total: number;
  /** Values that changed to fit, foreign keys that point at no row, triggers that acted. */
  notes: string[];
  error: { code: string; detail: string; hint?: string; extra?: Readonly<Record<string, unknown>> } | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
}

/** Sample rows that were made; `seed` makes the same ones again. */
export interface SeedAnswer {
  seed: string;
  rows: number;
  /** `reason`: why a table has fewer rows than were asked for, or none. */
  tables: { name: string; rows: number; reason: string | null }[];
}

export interface ShareAnswer {
  id: string;
  name: string;
  data: boolean;
  state: TransferFileState;
  tables: { name: string; rows: number }[];
  /** How often it was cloned. */
  clones: number;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
}
/** `token` and `url` are told once. */
export interface CreatedShareAnswer extends ShareAnswer { token: string; url: string }

/** What whoever holds a link may see of it before cloning. */
export interface SharePreviewAnswer { name: string; data: boolean; tables: { name: string; rows: number }[]; sql: string; expires_at: string | null }

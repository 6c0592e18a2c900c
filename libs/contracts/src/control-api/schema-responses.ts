import type { ApiImpact } from '@rowhouse/ddl-plan';
import type { MigrationPlan } from '../migration.js';

/** The lines of a schema file before and after its `sql`. */
export interface SqlFileFrame {
  head: string;
  tail: string;
}

/**
 * The working schema: its text, and its tables as the gateway's `/schema` returns them. Restoring
 * `undo_revision` reverts the last change, and restoring `redo_revision` repeats a reverted one. Each is null
 * if no change can be undone or redone.
 */
export interface WorkingSchemaResponse {
  revision: number;
  sql: string;
  file_frame: SqlFileFrame;
  notes: string[];
  tables: unknown[];
  updated_at: string | null;
  undo_revision: number | null;
  redo_revision: number | null;
}

/**
 * One revision of the working schema. `statements` is the requested change, `restores` names the revision
 * whose schema was restored, and `deployed_to` lists the environments that run it.
 */
export interface RevisionItem {
  revision: number;
  created_at: string;
  by: { id: string; name: string } | null;
  statements: string;
  restores: number | null;
  deployed_to: string[];
}

/**
 * The working schema after an adoption. `taken` lists the objects that the draft adopted from direct
 * connections.
 */
export interface TakenSchemaResponse extends WorkingSchemaResponse {
  taken: string[];
}

/** The deployed schema of a database. Before the first deploy, the number is 0 and the text is empty. */
export interface DeployedSchemaResponse {
  snapshot_number: number;
  sql: string;
  file_frame: SqlFileFrame;
  tables: unknown[];
}

/** The working schema after edits. `statements` are the SQL statements of the edits. */
export interface EditedSchemaResponse extends WorkingSchemaResponse {
  statements: string[];
}

/**
 * A preview of a change. Nothing has been changed. `plans` lead from the databases' current schemas to the
 * changed draft.
 */
export interface SchemaPreviewResponse {
  revision: number;
  statements: string[];
  notes: string[];
  tables: unknown[];
  plans: MigrationPlan[];
}

/** A table of the working schema with everything that can be edited. */
export interface TableStructureResponse {
  revision: number;
  name: string;
  kind: 'table' | 'view';
  comment: string;
  columns: ColumnStructure[];
  primary_key: string[];
  indexes: {
    name: string;
    type: 'plain' | 'unique' | 'fulltext' | 'spatial' | 'vector';
    columns: string[];
  }[];
  foreign_keys: ForeignKeyStructure[];
  /** Foreign keys of other tables that reference this one. */
  referenced_by: (ForeignKeyStructure & { table: string })[];
  checks: { name: string; expression: string }[];
  triggers: string[];
  sql: string;
}

export interface ColumnStructure {
  name: string;
  type: string;
  nullable: boolean;
  default: { kind: 'none' | 'null' } | { kind: 'literal' | 'expression'; text: string };
  auto_increment: boolean;
  unique: boolean;
  comment: string;
  /** Whether the value is computed from other columns. */
  generated: 'virtual' | 'stored' | null;
  /** The definition after the name, as in CREATE TABLE. */
  definition: string;
}

export interface ForeignKeyStructure {
  name: string;
  columns: string[];
  to: string;
  to_columns: string[];
  on_delete: string;
  on_update: string;
}

/**
 * A change described in plain language, translated to SQL for review. Nothing has been changed. To apply the
 * change, send `sql` with mode `apply`.
 */
export interface ProposalResponse {
  revision: number;
  /** `model`: a language model wrote the SQL. `rules`: the sentence has a known form. */
  source: 'model' | 'rules';
  sql: string;
  statements: string[];
  loss: string[];
  impact: ApiImpact;
  notes: string[];
}

/**
 * The differences between the deployed schemas of a project's databases and the working schema, and among
 * each other.
 */
export interface DriftResponse {
  revision: number;
  databases: {
    database: string;
    environment: string;
    snapshot: number;
    /** The last deployed revision. 0 before the first deploy. */
    revision: number;
    /** Objects that were changed over direct connections since the last deploy. */
    direct: string[];
    /** Differences from the first database of the list. */
    differs: { object: string; how: 'only_here' | 'missing_here' | 'other' }[];
  }[];
}

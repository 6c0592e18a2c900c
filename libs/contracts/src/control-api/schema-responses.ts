import type { ApiImpact } from '@rowhouse/ddl-plan';
import type { MigrationPlan } from '../migration.js';

/** The lines in a schema file before and after the text in `sql`. */
export interface SqlFileFrame {
  head: string;
  tail: string;
}

/**
 * The draft schema: its text, and its tables in the form that the gateway's `/schema` returns. To undo the
 * last change, restore `undo_revision`. To repeat a change that was undone, restore `redo_revision`. Each is
 * null if there is no such change.
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
 * One revision of the draft schema. `statements` contains the requested change, `restores` the revision whose
 * schema was restored, and `deployed_to` the environments in which this revision is deployed.
 */
export interface RevisionItem {
  revision: number;
  created_at: string;
  by: { id: string; name: string } | null;
  statements: string;
  restores: number | null;
  deployed_to: string[];
}

/** The draft schema after changes from direct connections were adopted. `taken` lists the adopted objects. */
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

/** The draft schema after edits. `statements` contains the SQL statements of the edits. */
export interface EditedSchemaResponse extends WorkingSchemaResponse {
  statements: string[];
}

/**
 * The preview of a change. Nothing has been changed. Each of the `plans` leads from the current schema of a
 * database to the changed draft.
 */
export interface SchemaPreviewResponse {
  revision: number;
  statements: string[];
  notes: string[];
  tables: unknown[];
  plans: MigrationPlan[];
}

/** A table of the draft schema with everything that can be edited. */
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
  /** The foreign keys of other tables that refer to this table. */
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
  /** The kind of a generated column. Null if the column is not generated. */
  generated: 'virtual' | 'stored' | null;
  /** The definition of the column in CREATE TABLE, without its name. */
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
 * A change that was described in plain language, as SQL to review. Nothing has been changed. To apply the
 * change, send `sql` with the mode `apply`.
 */
export interface ProposalResponse {
  revision: number;
  /**
   * How the SQL was created. `model` means that a language model wrote it. `rules` means that the sentence
   * has one of the supported forms.
   */
  source: 'model' | 'rules';
  sql: string;
  statements: string[];
  loss: string[];
  impact: ApiImpact;
  notes: string[];
}

/**
 * The differences between the deployed schemas of a project's databases and the draft schema, and among the
 * databases.
 */
export interface DriftResponse {
  revision: number;
  databases: {
    database: string;
    environment: string;
    snapshot: number;
    /** The last deployed revision. It is 0 before the first deploy. */
    revision: number;
    /** The objects that were changed over direct connections since the last deploy. */
    direct: string[];
    /** The differences from the first database in the list. */
    differs: { object: string; how: 'only_here' | 'missing_here' | 'other' }[];
  }[];
}

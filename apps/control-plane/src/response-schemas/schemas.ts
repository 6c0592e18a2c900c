import {
  type EditedSchemaResponse,
  type TakenSchemaResponse,
  type ProposalResponse,
  type TableStructureResponse,
  type RevisionItem,
  type WorkingSchemaResponse,
} from '@rowhouse/contracts';
import type { SqlFileFrame } from '@rowhouse/contracts';
import { z } from 'zod';
import { type Shape, time, id } from './shared.js';
import { apiImpact, migrationPlan } from './migrations.js';

const sqlFileFrame = z.object({ head: z.string(), tail: z.string() }) satisfies Shape<SqlFileFrame>;

export const workingSchemaResponse = z.object({
  revision: z.number().int(),
  sql: z.string(),
  file_frame: sqlFileFrame,
  notes: z.array(z.string()),
  tables: z.array(z.unknown()),
  updated_at: time.nullable(),
  undo_revision: z.number().int().nullable(),
  redo_revision: z.number().int().nullable(),
}) satisfies Shape<WorkingSchemaResponse>;

export const revisionItem = z.object({
  revision: z.number().int(),
  created_at: time,
  by: z.object({ id, name: z.string() }).nullable(),
  statements: z.string(),
  restores: z.number().int().nullable(),
  deployed_to: z.array(z.string()),
}) satisfies Shape<RevisionItem>;

export const editedSchemaResponse = workingSchemaResponse.extend({
  statements: z.array(z.string()),
}) satisfies Shape<EditedSchemaResponse>;

export const takenSchemaResponse = workingSchemaResponse.extend({
  taken: z.array(z.string()),
}) satisfies Shape<TakenSchemaResponse>;

export const proposalResponse = z.object({
  revision: z.number().int(),
  source: z.enum(['model', 'rules']),
  sql: z.string(),
  statements: z.array(z.string()),
  loss: z.array(z.string()),
  impact: apiImpact,
  notes: z.array(z.string()),
}) satisfies Shape<ProposalResponse>;

export const schemaPreviewResponse = z.object({
  revision: z.number().int(),
  statements: z.array(z.string()),
  notes: z.array(z.string()),
  tables: z.array(z.unknown()),
  plans: z.array(migrationPlan),
});

const foreignKeyStructure = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  to: z.string(),
  to_columns: z.array(z.string()),
  on_delete: z.string(),
  on_update: z.string(),
});

export const tableStructureResponse = z.object({
  revision: z.number().int(),
  name: z.string(),
  kind: z.enum(['table', 'view']),
  comment: z.string(),
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      nullable: z.boolean(),
      default: z.union([
        z.object({ kind: z.enum(['none', 'null']) }),
        z.object({ kind: z.enum(['literal', 'expression']), text: z.string() }),
      ]),
      auto_increment: z.boolean(),
      unique: z.boolean(),
      comment: z.string(),
      generated: z.enum(['virtual', 'stored']).nullable(),
      definition: z.string(),
    }),
  ),
  primary_key: z.array(z.string()),
  indexes: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['plain', 'unique', 'fulltext', 'spatial', 'vector']),
      columns: z.array(z.string()),
    }),
  ),
  foreign_keys: z.array(foreignKeyStructure),
  referenced_by: z.array(foreignKeyStructure.extend({ table: z.string() })),
  checks: z.array(z.object({ name: z.string(), expression: z.string() })),
  triggers: z.array(z.string()),
  sql: z.string(),
}) satisfies Shape<TableStructureResponse>;

export const deployedSchemaResponse = z.object({
  snapshot_number: z.number().int(),
  sql: z.string(),
  file_frame: sqlFileFrame,
  tables: z.array(z.unknown()),
});

export const snapshotItem = z.object({
  number: z.number().int(),
  origin: z.string(),
  hash: z.string(),
  migration: id.nullable(),
  is_current: z.boolean(),
  created_at: time,
});

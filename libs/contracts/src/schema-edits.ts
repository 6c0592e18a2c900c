import { z } from 'zod';

const name = z.string().min(1).max(64);
const names = z.array(name).min(1).max(16);
const expression = z.string().min(1).max(4_000);

const action = z.enum(['cascade', 'set null', 'restrict', 'no action']);
const reference = z.strictObject({
  table: name,
  columns: names.optional(),
  on_delete: action.optional(),
  on_update: action.optional(),
});
const newColumn = z.strictObject({
  name,
  type: z.string().min(1).max(4_000),
  nullable: z.boolean().optional(),
  default: z.union([z.string().max(4_000), z.number(), z.boolean(), z.null()]).optional(),
  default_expression: expression.optional(),
  auto_increment: z.boolean().optional(),
  unique: z.boolean().optional(),
  comment: z.string().max(1_024).optional(),
  generated: z.strictObject({ expression, stored: z.boolean().optional() }).optional(),
  references: reference.optional(),
});
const after = name.nullable().optional();

/** Validates a `SchemaEdit`. The type `SchemaEdit` documents the members. */
const schemaEdit = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('create_table'),
    table: name,
    columns: z.array(newColumn).min(1).max(500),
    primary_key: z.array(name).max(16).optional(),
    comment: z.string().max(2_048).optional(),
  }),
  z.strictObject({ kind: z.literal('drop_table'), table: name }),
  z.strictObject({ kind: z.literal('rename_table'), table: name, to: name }),
  z.strictObject({ kind: z.literal('set_comment'), table: name, comment: z.string().max(2_048) }),
  z.strictObject({ kind: z.literal('add_column'), table: name, column: newColumn, after }),
  z.strictObject({
    kind: z.literal('change_column'),
    table: name,
    column: name,
    to: newColumn.partial().extend({ no_default: z.boolean().optional() }),
    after,
  }),
  z.strictObject({ kind: z.literal('rename_column'), table: name, column: name, to: name }),
  z.strictObject({ kind: z.literal('drop_column'), table: name, column: name }),
  z.strictObject({ kind: z.literal('set_primary_key'), table: name, columns: z.array(name).max(16) }),
  z.strictObject({
    kind: z.literal('add_index'),
    table: name,
    columns: names,
    name: name.optional(),
    type: z.enum(['plain', 'unique', 'fulltext', 'spatial']).optional(),
  }),
  z.strictObject({ kind: z.literal('drop_index'), table: name, name }),
  z.strictObject({
    kind: z.literal('add_foreign_key'),
    table: name,
    columns: names,
    references: reference,
    name: name.optional(),
  }),
  z.strictObject({ kind: z.literal('drop_foreign_key'), table: name, name }),
  z.strictObject({ kind: z.literal('add_check'), table: name, expression, name: name.optional() }),
  z.strictObject({ kind: z.literal('drop_check'), table: name, name }),
  z.strictObject({ kind: z.literal('create_view'), view: name, select: z.string().min(1).max(65_536) }),
  z.strictObject({ kind: z.literal('drop_view'), view: name }),
]);

export const schemaEditsRequest = z.strictObject({
  edits: z.array(schemaEdit).min(1).max(200),
  base_revision: z.number().int().nonnegative().optional(),
  /** Whether to return the statements without changing anything. */
  preview: z.boolean().optional(),
});

export const schemaWordsRequest = z.strictObject({ request: z.string().trim().min(1).max(4_000) });

export const schemaStarterRequest = z.strictObject({
  starter: z.enum(['blog', 'shop']),
  /**
   * The mode `apply`, which is the default, adds the starter schema to the draft. `replace` replaces the
   * draft with it.
   */
  mode: z.enum(['apply', 'replace']).optional(),
  base_revision: z.number().int().nonnegative().optional(),
});

/**
 * The request that restores a revision of the draft schema. It contains either the revision, or a database
 * (by id or environment) whose deployed revision is restored.
 */
export const restoreSchemaRequest = z
  .strictObject({
    revision: z.number().int().nonnegative().optional(),
    database: z.string().max(40).optional(),
    base_revision: z.number().int().nonnegative().optional(),
  })
  .refine((body) => (body.revision === undefined) !== (body.database === undefined), {
    path: ['revision'],
    message: 'Send a revision, or a database whose revision to restore.',
  });

export const takeDirectRequest = z.strictObject({
  /** The id or the environment of the database. */
  database: z.string().max(40),
  /**
   * The tables, views and routines (such as `procedure name`) to adopt. The default is everything that was
   * changed over direct connections since the last deploy.
   */
  objects: z.array(z.string().max(80)).min(1).max(1_000).optional(),
  base_revision: z.number().int().nonnegative().optional(),
});

/**
 * The request for a preview of edits or SQL, applied to the draft and planned for a database. Nothing is
 * changed.
 */
export const schemaPreviewRequest = z
  .strictObject({
    edits: z.array(schemaEdit).min(1).max(200).optional(),
    sql: z.string().max(1_048_576).optional(),
    mode: z.enum(['replace', 'apply']).optional(),
    /** The id or the environment of the database. The default is `development`. */
    database: z.string().max(40).optional(),
  })
  .refine((request) => (request.edits === undefined) !== (request.sql === undefined), 'Send edits or sql.');

export type SchemaPreviewRequest = z.infer<typeof schemaPreviewRequest>;
export type SchemaStarterRequest = z.infer<typeof schemaStarterRequest>;
export type RestoreSchemaRequest = z.infer<typeof restoreSchemaRequest>;
export type TakeDirectRequest = z.infer<typeof takeDirectRequest>;
export type SchemaEditsRequest = z.infer<typeof schemaEditsRequest>;
export type SchemaWordsRequest = z.infer<typeof schemaWordsRequest>;

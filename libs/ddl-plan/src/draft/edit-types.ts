/**
 * One change of a schema, from the console's table editor, an MCP tool or a sentence.
 * Names are those in effect when the edit is applied.
 */
export type SchemaEdit =
  | {
      readonly kind: 'create_table';
      readonly table: string;
      readonly columns: readonly NewColumn[];
      readonly primary_key?: readonly string[] | undefined;
      readonly comment?: string | undefined;
    }
  | { readonly kind: 'drop_table'; readonly table: string }
  | { readonly kind: 'rename_table'; readonly table: string; readonly to: string }
  | { readonly kind: 'set_comment'; readonly table: string; readonly comment: string }
  | {
      readonly kind: 'add_column';
      readonly table: string;
      readonly column: NewColumn;
      readonly after?: string | null | undefined;
    }
  | {
      readonly kind: 'change_column';
      readonly table: string;
      readonly column: string;
      readonly to: ColumnChange;
      readonly after?: string | null | undefined;
    }
  | { readonly kind: 'rename_column'; readonly table: string; readonly column: string; readonly to: string }
  | { readonly kind: 'drop_column'; readonly table: string; readonly column: string }
  | { readonly kind: 'set_primary_key'; readonly table: string; readonly columns: readonly string[] }
  | {
      readonly kind: 'add_index';
      readonly table: string;
      readonly columns: readonly string[];
      readonly name?: string | undefined;
      readonly type?: 'plain' | 'unique' | 'fulltext' | 'spatial' | undefined;
    }
  | { readonly kind: 'drop_index'; readonly table: string; readonly name: string }
  | {
      readonly kind: 'add_foreign_key';
      readonly table: string;
      readonly columns: readonly string[];
      readonly references: Reference;
      readonly name?: string | undefined;
    }
  | { readonly kind: 'drop_foreign_key'; readonly table: string; readonly name: string }
  | {
      readonly kind: 'add_check';
      readonly table: string;
      readonly expression: string;
      readonly name?: string | undefined;
    }
  | { readonly kind: 'drop_check'; readonly table: string; readonly name: string }
  | { readonly kind: 'create_view'; readonly view: string; readonly select: string }
  | { readonly kind: 'drop_view'; readonly view: string };

export interface NewColumn {
  readonly name: string;
  /**
   * A type as in SQL (`varchar(80)`, `int unsigned`, `enum('a','b')`), or one of
   * the short names of `toSqlType`.
   */
  readonly type: string;
  /** False by default for a new column. */
  readonly nullable?: boolean | undefined;
  /** A plain value; `null` is NULL. When omitted, the column has no default of its own. */
  readonly default?: string | number | boolean | null | undefined;
  /** An expression instead of a value: `CURRENT_TIMESTAMP`, `(uuid())`. */
  readonly default_expression?: string | undefined;
  readonly auto_increment?: boolean | undefined;
  readonly unique?: boolean | undefined;
  readonly comment?: string | undefined;
  /** The expression of a generated column. Such a column takes no default. */
  readonly generated?: { readonly expression: string; readonly stored?: boolean | undefined } | undefined;
  /** A foreign key over this column alone. */
  readonly references?: Reference | undefined;
}

/** The parts of a column to change. Omitted parts stay. */
export type ColumnChange = Partial<NewColumn> & {
  /** Removes the default. */ readonly no_default?: boolean | undefined;
};

export interface Reference {
  readonly table: string;
  /** `id` by default. */
  readonly columns?: readonly string[] | undefined;
  readonly on_delete?: ReferenceAction | undefined;
  readonly on_update?: ReferenceAction | undefined;
}
export type ReferenceAction = 'cascade' | 'set null' | 'restrict' | 'no action';

/** The reason why the edit at this index cannot be applied. */
export interface EditFault {
  readonly edit: number;
  /** The member that is wrong. */
  readonly member: string;
  readonly message: string;
  /** The unknown name. Empty when the reason is another one. */
  readonly given: string;
  /** The names that exist. */
  readonly known: readonly string[];
}

/**
 * One change of a schema. It comes from the console's table editor, an MCP tool or a sentence. Names in it
 * are those at the time when the edit is applied.
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
   * A type as in SQL (`varchar(80)`, `int unsigned`, `enum('a','b')`), or one of the short names that
   * `toSqlType` accepts.
   */
  readonly type: string;
  /** Whether the column may be NULL. The default for a new column is false. */
  readonly nullable?: boolean | undefined;
  /** The default as a plain value, where `null` means NULL. If omitted, the column has no default. */
  readonly default?: string | number | boolean | null | undefined;
  /** The default as an SQL expression, such as `CURRENT_TIMESTAMP` or `(uuid())`. */
  readonly default_expression?: string | undefined;
  readonly auto_increment?: boolean | undefined;
  readonly unique?: boolean | undefined;
  readonly comment?: string | undefined;
  /** The expression of a generated column. Such a column cannot have a default. */
  readonly generated?: { readonly expression: string; readonly stored?: boolean | undefined } | undefined;
  /** The target of a foreign key that consists of this column only. */
  readonly references?: Reference | undefined;
}

/** The parts of a column to change. Omitted parts remain the same. */
export type ColumnChange = Partial<NewColumn> & {
  /** Removes the default. */ readonly no_default?: boolean | undefined;
};

export interface Reference {
  readonly table: string;
  /** The referenced columns. The default is `id`. */
  readonly columns?: readonly string[] | undefined;
  readonly on_delete?: ReferenceAction | undefined;
  readonly on_update?: ReferenceAction | undefined;
}
export type ReferenceAction = 'cascade' | 'set null' | 'restrict' | 'no action';

/** The reason why an edit cannot be applied. `edit` is its index in the list. */
export interface EditFault {
  readonly edit: number;
  /** The invalid member of the edit. */
  readonly member: string;
  readonly message: string;
  /** The unknown name. Empty if the reason is not an unknown name. */
  readonly given: string;
  /** The existing names, one of which may be meant. */
  readonly known: readonly string[];
}

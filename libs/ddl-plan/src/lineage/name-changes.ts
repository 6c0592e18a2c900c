/**
 * The effect of one statement of a schema text on the names of tables, views and columns.
 * Names are spelled as in the text.
 */
export type NameChange =
  | {
      readonly kind: 'create_table';
      readonly table: string;
      readonly orReplace: boolean;
      readonly ifNotExists: boolean;
      /** The columns that the statement lists, or the table that `LIKE` copies. */
      readonly columns: readonly string[] | { readonly like: string };
    }
  | { readonly kind: 'create_view'; readonly view: string }
  | { readonly kind: 'drop'; readonly names: readonly string[]; readonly ifExists: boolean }
  | { readonly kind: 'rename_table'; readonly from: string; readonly to: string; readonly ifExists: boolean }
  | {
      readonly kind: 'alter_table';
      readonly table: string;
      readonly ifExists: boolean;
      readonly columns: readonly ColumnNameChange[];
      /** The new name of the table; null when the statement does not rename it. */
      readonly renameTo: string | null;
    };

/**
 * A change of one column name. Names refer to the table before the statement, since servers apply all
 * clauses of an ALTER at once.
 */
export type ColumnNameChange =
  | { readonly kind: 'add'; readonly name: string; readonly ifNotExists: boolean }
  | { readonly kind: 'drop'; readonly name: string; readonly ifExists: boolean }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string; readonly ifExists: boolean };

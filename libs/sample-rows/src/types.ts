/**
 * The value of a column in a sample row. Texts and numbers are used as they are. A geometry is well-known
 * text, and a vector is a list in brackets, both of which the engine converts with a function.
 */
export type SampleValue =
  | null
  | string
  | number
  | Uint8Array
  | { readonly kind: 'geometry'; readonly text: string; readonly srid: number }
  | { readonly kind: 'vector'; readonly text: string };

/** The values of a row by column name. The engine assigns the values of other columns. */
export type SampleRow = Readonly<Record<string, SampleValue>>;

/**
 * The rows to which foreign keys can refer, by the name of the key. For each row, the list contains the
 * values of the key's columns in order.
 */
export type ParentKeys = ReadonlyMap<string, readonly (readonly SampleValue[])[]>;

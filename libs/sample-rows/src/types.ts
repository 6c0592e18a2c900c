/**
 * The value of a column in a sample row. Texts and numbers are used unchanged. A geometry is well-known text
 * and a vector is a list in brackets. The engine reads both through a conversion function.
 */
export type SampleValue =
  | null
  | string
  | number
  | Uint8Array
  | { readonly kind: 'geometry'; readonly text: string; readonly srid: number }
  | { readonly kind: 'vector'; readonly text: string };

/** Values by column name. The engine assigns columns that are not named. */
export type SampleRow = Readonly<Record<string, SampleValue>>;

/**
 * The possible targets by foreign-key name: for each target row, the values of the key's columns in order.
 */
export type ParentKeys = ReadonlyMap<string, readonly (readonly SampleValue[])[]>;

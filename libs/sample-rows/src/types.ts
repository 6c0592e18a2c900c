/**
 * What stands in a column of a sample row. Texts and numbers are written as they are; a geometry comes as well-known text
 * and a vector as its list in brackets, which the engine reads through a function of its own.
 */
export type SampleValue =
  | null
  | string
  | number
  | Uint8Array
  | { readonly kind: 'geometry'; readonly text: string; readonly srid: number }
  | { readonly kind: 'vector'; readonly text: string };

/** By column name. Columns that are not named are left to the engine. */
export type SampleRow = Readonly<Record<string, SampleValue>>;

/** By the name of a foreign key: what it may point at, each the values of its columns in their order. */
export type ParentKeys = ReadonlyMap<string, readonly (readonly SampleValue[])[]>;

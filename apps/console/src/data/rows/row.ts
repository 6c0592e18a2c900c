/** A record of the data API: scalars as JSON, large numbers as text. */
export type Row = Readonly<Record<string, unknown>>;

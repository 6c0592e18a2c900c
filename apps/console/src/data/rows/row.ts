/** A record as the data API has it: scalars as JSON, wide numbers as text. */
export type Row = Readonly<Record<string, unknown>>;

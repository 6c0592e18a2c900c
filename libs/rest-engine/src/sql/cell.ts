/** A value bound to a `?`. Exact values are text. Only FLOAT, DOUBLE and booleans are numbers. */
export type BoundValue = string | number | Uint8Array | null;

/**
 * A value as the driver returns it. Temporal types, DECIMAL, BIGINT and JSON are text. Binary and BIT are
 * bytes, and VECTOR is an array of numbers.
 */
export type Cell = string | number | bigint | Uint8Array | readonly number[] | null;

import type { DbValue } from '../pool-types.js';

/** How the rows of a result become JSON. Its identity is what compiled writers are kept by. */
export interface RowFormat {
  /** In the order of the result's columns. */
  readonly columns: readonly JsonColumn[];
  /** Cells that are kept beside the text: positions among `columns`. */
  readonly keys: readonly number[];
}

export interface JsonColumn {
  readonly name: string;
  /** False: fetched as a key only. */
  readonly isOutput: boolean;
  /** The short way from the wire to JSON, where the wire's type fits. */
  readonly way: JsonWay;
  /** Numbers as strings. */
  readonly isQuoted: boolean;
  /** Digits behind the point of a moment. */
  readonly fraction: number;
  /** Any value but NULL as JSON: the long way, and what the short ones have to agree with. */
  readonly write: (cell: Exclude<DbValue, null>) => string;
}

/**
 * - `integer`, `boolean`, `day`, `moment`, `moment_utc`: from the binary form.
 * - `text`: as a JSON string. `digits`: text that is a JSON number. `json`: text that the engine vouches for.
 * - `base64`: bytes.
 * - `cell`: by `write` alone.
 */
export type JsonWay = 'integer' | 'boolean' | 'day' | 'moment' | 'moment_utc' | 'text' | 'digits' | 'json' | 'base64' | 'cell';

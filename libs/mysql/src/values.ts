/** A number with these digits. It is bound as DECIMAL. */
export interface DecimalValue {
  readonly digits: string;
}

/**
 * A value that is bound to a placeholder. The type excludes other objects and arrays, because the driver
 * would guess how to send them.
 */
export type BindValue = string | number | bigint | boolean | Uint8Array | DecimalValue | null;

/**
 * A value as it arrives from the server. A 64-bit integer or a decimal is a string of digits, a temporal
 * value is text, and a value of a BIT or binary column is bytes. An integer of up to 32 bits or a
 * floating-point value is a number, and a VECTOR is a list of numbers.
 */
export type DbValue = string | number | Buffer | readonly number[] | null;

/** A result column as the server describes it. */
export interface ResultColumn {
  readonly name: string;
  /** The name or alias of the table in the statement. Empty for an expression. */
  readonly table: string;
  readonly orgTable: string;
  readonly orgName: string;
  /** The type number of the protocol. */
  readonly typeCode: number;
  readonly flags: number;
  /** The number of the column's collation. 63 means binary. */
  readonly charset: number;
  /** The display length in bytes. */
  readonly length: number;
  readonly decimals: number;
  /** Whether the column contains JSON. MariaDB sends JSON as text and marks it separately. */
  readonly isJson: boolean;
  /**
   * MariaDB's name for types without a number in the protocol, such as `uuid`, `inet6` and `point`. Empty
   * otherwise.
   */
  readonly extendedType: string;
}

/** A number that is bound as DECIMAL, with these digits. */
export interface DecimalValue {
  readonly digits: string;
}

/** A bound value. The type excludes other objects and arrays, because the driver would guess their form. */
export type BindValue = string | number | bigint | boolean | Uint8Array | DecimalValue | null;

/**
 * A value as received. 64-bit integers and decimals are digits, temporal values are text, and BIT and binary
 * columns are bytes. Integers of up to 32 bits and floating point values are numbers, and a VECTOR is a list
 * of numbers.
 */
export type DbValue = string | number | Buffer | readonly number[] | null;

/** A result column as the server describes it. */
export interface ResultColumn {
  readonly name: string;
  /** The table's name or alias in the statement. Empty for expressions. */
  readonly table: string;
  readonly orgTable: string;
  readonly orgName: string;
  /** The type number of the protocol. */
  readonly typeCode: number;
  readonly flags: number;
  /** 63 means binary. */
  readonly charset: number;
  /** The display length in bytes. */
  readonly length: number;
  readonly decimals: number;
  /** MariaDB sends JSON as text and marks it separately. */
  readonly isJson: boolean;
  /**
   * MariaDB's name for types without a number in the protocol, such as `uuid`, `inet6` and `point`. Empty
   * otherwise.
   */
  readonly extendedType: string;
}

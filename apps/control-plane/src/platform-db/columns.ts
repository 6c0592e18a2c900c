import { Column, type ColumnOptions, PrimaryColumn, type ValueTransformer } from 'typeorm';

/**
 * Converts BIGINT and DECIMAL values, which arrive as text, to numbers. The platform's own values are far
 * below 2^53.
 */
export const numberColumn: ValueTransformer = {
  from: (value: string | number | null) => (value === null ? null : Number(value)),
  to: (value: number | null | undefined) => value,
};
type Options = Pick<ColumnOptions, 'nullable' | 'default'>;

/** An id of the platform: a prefix, `_`, and letters and digits. See `createId`. */
export const PrimaryIdColumn = (): PropertyDecorator => PrimaryColumn('varchar', { length: 40 });

/** The id of another row. */
export const IdColumn = (options: Options = {}): PropertyDecorator =>
  Column('varchar', { length: 40, ...options });

/** A time in UTC with milliseconds. */
export const TimeColumn = (options: Options = {}): PropertyDecorator =>
  Column('datetime', { precision: 3, ...options });

/** A number from 0 to 2^32 - 1. */
export const CountColumn = (options: Options = {}): PropertyDecorator =>
  Column('int', { unsigned: true, ...options });

/**
 * A number from 0 that may exceed 32 bits, such as a number of rows or bytes. It is read as a JavaScript
 * number.
 */
export const BigCountColumn = (options: Options = {}): PropertyDecorator =>
  Column('bigint', { unsigned: true, transformer: numberColumn, ...options });

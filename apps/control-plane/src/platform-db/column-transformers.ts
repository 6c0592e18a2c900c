import type { ValueTransformer } from 'typeorm';

/** BIGINT and DECIMAL arrive as text. The platform's own values are far below 2^53. */
export const numberColumn: ValueTransformer = {
  from: (value: string | number | null) => (value === null ? null : Number(value)),
  to: (value: number | null | undefined) => value,
};

import { z } from 'zod';

/**
 * The response types of the contracts as zod schemas. They are only used in the API description, not to
 * validate responses. The compiler checks each schema against its type.
 */
export type Shape<T> = z.ZodType<T>;

export const time = z.iso.datetime();

export const id = z.string();

export const role = z.enum(['owner', 'admin', 'developer', 'viewer']);

export const rate = z.object({ per_second: z.number(), burst: z.number().int() });

/** A page of a list: `{items, next_cursor}`. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() });
}

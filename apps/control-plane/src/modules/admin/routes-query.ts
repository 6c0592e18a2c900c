import { z } from 'zod';

export const routesQuery = z.strictObject({
  /** The request rate that one gateway can serve. */
  capacity: z.coerce.number().int().min(1).max(10_000_000).default(5_000),
});
export type RoutesQuery = z.infer<typeof routesQuery>;

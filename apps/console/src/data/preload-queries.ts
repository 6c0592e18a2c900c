import type { DatabaseResponse } from '@rowhouse/contracts';
import type { QueryClient } from '@tanstack/react-query';

/**
 * Requests what a page needs from its database before it can show anything. Exported by its module below
 * `routes`.
 */
export type PreloadQueries = (queryClient: QueryClient, database: DatabaseResponse) => void;

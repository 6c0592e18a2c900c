import type { DatabaseResponse } from '@rowhouse/contracts';
import type { QueryClient } from '@tanstack/react-query';

/**
 * Requests the data that a page needs before it can show anything. The page's module below `routes` exports
 * this function.
 */
export type PreloadQueries = (queryClient: QueryClient, database: DatabaseResponse) => void;

import {
  MutationCache,
  QueryCache,
  QueryClient,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  type QueryKey,
} from '@tanstack/react-query';
import { ApiError } from './api-error.js';

/**
 * Creates the cache of server data. `onSessionLost` is called when a call reports that no one is signed in.
 */
export function createQueryClient(onSessionLost: () => void): QueryClient {
  const watch = (error: unknown): void => {
    if (error instanceof ApiError && error.code === 'auth.missing_session') onSessionLost();
  };
  return new FreshQueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({ onError: watch }),
    defaultOptions: {
      queries: { staleTime: 15_000, retry: shouldRetry, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
}

/**
 * Invalidates queries twice when the first request of one is still running. Its response may be older than
 * the change, and a single invalidation only waits for this response and accepts it.
 */
class FreshQueryClient extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const isFirst = this.getQueryCache()
      .findAll(filters)
      .some(({ state }) => state.data === undefined && state.fetchStatus !== 'idle');
    await super.invalidateQueries(filters, options);
    if (isFirst) await super.invalidateQueries(filters, options);
  }
}

/** Returns whether to retry: once, if no response arrived or the status is 502 or higher. */
function shouldRetry(failures: number, error: unknown): boolean {
  return failures < 1 && error instanceof ApiError && (error.status === 0 || error.status >= 502);
}

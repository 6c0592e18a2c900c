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
 * Creates the cache of server data. `onSessionLost` is called when a response shows that the user is no
 * longer signed in. `onClosed` is called when an organization requires two-factor authentication.
 */
export function createQueryClient(onSessionLost: () => void, onClosed: () => void): QueryClient {
  const watch = (error: unknown): void => {
    const code = error instanceof ApiError ? error.code : '';
    if (code === 'auth.missing_session') onSessionLost();
    if (code === 'auth.two_factor_required') onClosed();
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
 * A query client that invalidates queries twice if their first request is still running. The response of that
 * request may be older than the change. A single invalidation would only wait for this response and accept
 * it.
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

/**
 * Returns whether a request is repeated. It is repeated once if no response arrived or the status is 502 or
 * higher.
 */
function shouldRetry(failures: number, error: unknown): boolean {
  return failures < 1 && error instanceof ApiError && (error.status === 0 || error.status >= 502);
}

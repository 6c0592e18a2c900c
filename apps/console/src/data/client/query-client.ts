import { MutationCache, QueryCache, QueryClient, type InvalidateOptions, type InvalidateQueryFilters, type QueryKey } from '@tanstack/react-query';
import { ApiError } from './api-error.js';

/** The cache of server state. `onSessionLost` is called when any call says that nobody is signed in. */
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
 * What is asked for the first time while a change is made may be answered from before it, and an invalidation alone waits for
 * that very answer and takes it for new: then everything is asked for once more.
 */
class FreshQueryClient extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(filters?: InvalidateQueryFilters<Key>, options?: InvalidateOptions): Promise<void> {
    const isFirst = this.getQueryCache().findAll(filters).some(({ state }) => state.data === undefined && state.fetchStatus !== 'idle');
    await super.invalidateQueries(filters, options);
    if (isFirst) await super.invalidateQueries(filters, options);
  }
}

/** Once more when there was no answer or the server stumbled; a refusal is final. */
function shouldRetry(failures: number, error: unknown): boolean {
  return failures < 1 && error instanceof ApiError && (error.status === 0 || error.status >= 502);
}

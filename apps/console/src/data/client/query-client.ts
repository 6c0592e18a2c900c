import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.js';

/** The cache of server state. `onSessionLost` is called when any call says that nobody is signed in. */
export function createQueryClient(onSessionLost: () => void): QueryClient {
  const watch = (error: unknown): void => {
    if (error instanceof ApiError && error.code === 'auth.missing_session') onSessionLost();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({ onError: watch }),
    defaultOptions: {
      queries: { staleTime: 15_000, retry: shouldRetry, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
}

/** Once more when there was no answer or the server stumbled; a refusal is final. */
function shouldRetry(failures: number, error: unknown): boolean {
  return failures < 1 && error instanceof ApiError && (error.status === 0 || error.status >= 502);
}

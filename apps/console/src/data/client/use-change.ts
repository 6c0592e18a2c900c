import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { ApiError } from './api-error.js';

/**
 * Returns a mutation. After it has succeeded, the queries whose key starts with `stale` are loaded again;
 * with null, no query is.
 */
export function useChange<Input, Response>(
  send: (input: Input) => Promise<Response>,
  stale: QueryKey | null,
) {
  const queryClient = useQueryClient();
  return useMutation<Response, ApiError, Input>({
    mutationFn: send,
    onSuccess: () => (stale === null ? undefined : queryClient.invalidateQueries({ queryKey: stale })),
  });
}

/**
 * Runs a callback after a successful change, even if the component that started the change was unmounted.
 * Callbacks passed to `mutate` do not run after an unmount, for example when a reloaded list removes the
 * button. Errors are ignored here, because the mutation shows them.
 */
export function afterChange<Response>(change: Promise<Response>, then: (response: Response) => void): void {
  change.then(then, () => undefined);
}

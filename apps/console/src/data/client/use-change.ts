import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { ApiError } from './api-error.js';

/** Returns a mutation that invalidates queries with the prefix `stale` afterwards, or none if it is null. */
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
 * Runs a callback after a successful change, even if the component that started it was unmounted. Callbacks
 * passed to `mutate` are lost then, for example when a reloaded list removes the button. The mutation shows
 * its own error.
 */
export function afterChange<Response>(change: Promise<Response>, then: (response: Response) => void): void {
  change.then(then, () => undefined);
}

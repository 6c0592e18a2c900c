import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { ApiError } from './api-error.js';

/** Returns a mutation that invalidates queries with the prefix `stale` afterwards, or none if it is null. */
export function useChange<Wish, Answer>(send: (input: Wish) => Promise<Answer>, stale: QueryKey | null) {
  const queryClient = useQueryClient();
  return useMutation<Answer, ApiError, Wish>({
    mutationFn: send,
    onSuccess: () => (stale === null ? undefined : queryClient.invalidateQueries({ queryKey: stale })),
  });
}

/**
 * Runs a callback after a successful change, even if the component that started it was unmounted. Callbacks
 * passed to `mutate` are lost then, for example when a reloaded list removes the button. The mutation shows
 * its own error.
 */
export function afterChange<Answer>(change: Promise<Answer>, then: (response: Answer) => void): void {
  change.then(then, () => undefined);
}

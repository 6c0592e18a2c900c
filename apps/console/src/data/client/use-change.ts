import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { ApiError } from './api-error.js';

/** A change on the server, after which what `stale` begins with is read anew; null: nothing that was read tells of it. */
export function useChange<Wish, Answer>(send: (wish: Wish) => Promise<Answer>, stale: QueryKey | null) {
  const queryClient = useQueryClient();
  return useMutation<Answer, ApiError, Wish>({
    mutationFn: send,
    onSuccess: () => (stale === null ? undefined : queryClient.invalidateQueries({ queryKey: stale })),
  });
}

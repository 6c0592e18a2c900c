import type { ListAnswer, MigrationAnswer, MigrationState } from '@rowhouse/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { withCursor } from '../client/fetch-all.js';
import { sendRequest } from '../client/send-request.js';
import { migrationKeys } from './keys.js';

const LIST_POLL_MS = 1_500;

/** States nothing follows on; a list of its own because only types of the contracts reach the browser. */
const END_STATES: readonly MigrationState[] = ['published', 'reverted', 'failed', 'cancelled', 'needs_attention'];

export function hasEnded(state: MigrationState): boolean {
  return END_STATES.includes(state);
}

export const migrationsQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: migrationKeys.of(projectId),
    queryFn: ({ pageParam }) =>
      sendRequest<ListAnswer<MigrationAnswer>>('GET', withCursor(`/api/projects/${projectId}/migrations`, pageParam)),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: (query) => {
      const newest = query.state.data?.pages[0]?.items ?? [];
      return newest.some((migration) => !hasEnded(migration.state)) ? LIST_POLL_MS : false;
    },
  });

/** One migration; `useMigrationEvents` keeps it current while it runs. */
export const migrationQuery = (migrationId: string) =>
  queryOptions({
    queryKey: migrationKeys.one(migrationId),
    queryFn: () => sendRequest<MigrationAnswer>('GET', `/api/migrations/${migrationId}`),
    staleTime: 0,
  });

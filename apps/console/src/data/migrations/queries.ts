import type {
  DatabaseResponse,
  SoftDeletedResponse,
  ListResponse,
  MigrationResponse,
  MigrationPlan,
  MigrationState,
  MigrationStepResponse,
  QueueResponse,
} from '@rowhouse/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { withCursor } from '../client/fetch-all.js';
import { sendRequest } from '../client/send-request.js';

export const migrationKeys = {
  all: ['migrations'] as const,
  of: (projectId: string) => ['migrations', 'of', projectId] as const,
  /**
   * The query key of a database's last migration. It begins like the key of the project's migrations, so that
   * both are reloaded together.
   */
  last: (projectId: string, databaseId: string) =>
    ['migrations', 'of', projectId, 'last', databaseId] as const,
  queue: (projectId: string, databaseId: string) =>
    ['migrations', 'of', projectId, 'queue', databaseId] as const,
  one: (migrationId: string) => ['migrations', 'one', migrationId] as const,
  steps: (migrationId: string) => ['migrations', 'one', migrationId, 'steps'] as const,
  revert: (migrationId: string) => ['migrations', 'one', migrationId, 'revert'] as const,
  softDeleted: (databaseId: string) => ['migrations', 'kept', databaseId] as const,
};
const LIST_POLL_MS = 1_500;

/**
 * The final states of a migration. The list is repeated here, because the console imports only types from the
 * contracts.
 */
const END_STATES: readonly MigrationState[] = [
  'published',
  'reverted',
  'failed',
  'cancelled',
  'needs_attention',
];

export function hasEnded(state: MigrationState): boolean {
  return END_STATES.includes(state);
}

export const migrationsQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: migrationKeys.of(projectId),
    queryFn: ({ pageParam }) =>
      sendRequest<ListResponse<MigrationResponse>>(
        'GET',
        withCursor(`/api/projects/${projectId}/migrations`, pageParam),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: (query) => {
      const newest = query.state.data?.pages[0]?.items ?? [];
      return newest.some((migration) => !hasEnded(migration.state)) ? LIST_POLL_MS : false;
    },
  });

/** The newest migration of one database, or null. */
export const lastMigrationQuery = (projectId: string, databaseId: string) =>
  queryOptions({
    queryKey: migrationKeys.last(projectId, databaseId),
    queryFn: async () =>
      (
        await sendRequest<ListResponse<MigrationResponse>>(
          'GET',
          `/api/databases/${databaseId}/migrations?limit=1`,
        )
      ).items[0] ?? null,
    refetchInterval: (query) =>
      query.state.data && !hasEnded(query.state.data.state) ? LIST_POLL_MS : false,
  });

/** One migration. `useMigrationEvents` updates it while the migration runs. */
export const migrationQuery = (migrationId: string) =>
  queryOptions({
    queryKey: migrationKeys.one(migrationId),
    queryFn: () => sendRequest<MigrationResponse>('GET', `/api/migrations/${migrationId}`),
    staleTime: 0,
  });

const STEPS_POLL_MS = 700;

/** Loads the steps of a migration, finished and remaining, with their statements. */
export const migrationStepsQuery = (migrationId: string, isRunning: boolean) =>
  queryOptions({
    queryKey: migrationKeys.steps(migrationId),
    queryFn: async () =>
      (await sendRequest<ListResponse<MigrationStepResponse>>('GET', `/api/migrations/${migrationId}/steps`))
        .items,
    refetchInterval: isRunning ? STEPS_POLL_MS : false,
  });

/** Loads the plan for reverting a migration. The request fails if the migration cannot be reverted. */
export const revertPlanQuery = (migrationId: string) =>
  queryOptions({
    queryKey: migrationKeys.revert(migrationId),
    queryFn: () => sendRequest<MigrationPlan>('GET', `/api/migrations/${migrationId}/revert`),
    retry: false,
    staleTime: 0,
  });

/** Loads a database's migrations that are running or waiting, in order. */
export const queueQuery = (database: Pick<DatabaseResponse, 'id' | 'project_id'>) =>
  queryOptions({
    queryKey: migrationKeys.queue(database.project_id, database.id),
    queryFn: () => sendRequest<QueueResponse>('GET', `/api/databases/${database.id}/queue`),
    refetchInterval: (query) => ((query.state.data?.items.length ?? 0) > 0 ? LIST_POLL_MS : 10_000),
  });

/** Loads the dropped objects that can still be restored. */
export const softDeletedQuery = (databaseId: string) =>
  queryOptions({
    queryKey: migrationKeys.softDeleted(databaseId),
    queryFn: async () =>
      (await sendRequest<ListResponse<SoftDeletedResponse>>('GET', `/api/databases/${databaseId}/kept`))
        .items,
  });

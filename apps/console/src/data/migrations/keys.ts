export const migrationKeys = {
  all: ['migrations'] as const,
  of: (projectId: string) => ['migrations', 'of', projectId] as const,
  /** Reloaded together with the migrations of the project. */
  last: (projectId: string, databaseId: string) =>
    ['migrations', 'of', projectId, 'last', databaseId] as const,
  queue: (projectId: string, databaseId: string) =>
    ['migrations', 'of', projectId, 'queue', databaseId] as const,
  one: (migrationId: string) => ['migrations', 'one', migrationId] as const,
  steps: (migrationId: string) => ['migrations', 'one', migrationId, 'steps'] as const,
  revert: (migrationId: string) => ['migrations', 'one', migrationId, 'revert'] as const,
  kept: (databaseId: string) => ['migrations', 'kept', databaseId] as const,
};

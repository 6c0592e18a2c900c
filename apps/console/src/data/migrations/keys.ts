export const migrationKeys = {
  of: (projectId: string) => ['migrations', 'of', projectId] as const,
  one: (migrationId: string) => ['migrations', 'one', migrationId] as const,
};

export const schemaKeys = {
  all: (projectId: string) => ['schema', projectId] as const,
  working: (projectId: string) => ['schema', projectId, 'working'] as const,
  diff: (projectId: string, databaseId: string) => ['schema', projectId, 'diff', databaseId] as const,
};

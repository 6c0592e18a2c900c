export const wordKeys = {
  of: (projectId: string) => ['words', projectId] as const,
  index: (databaseId: string) => ['value-index', databaseId] as const,
};

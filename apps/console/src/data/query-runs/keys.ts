export const queryKeys = {
  saved: (databaseId: string) => ['queries', databaseId, 'saved'] as const,
  asked: (databaseId: string) => ['queries', databaseId, 'asked'] as const,
};

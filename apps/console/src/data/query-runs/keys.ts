export const queryKeys = {
  saved: (databaseId: string) => ['queries', databaseId, 'saved'] as const,
  samples: (databaseId: string, snapshot: number) => ['queries', databaseId, 'samples', snapshot] as const,
  asked: (databaseId: string) => ['queries', databaseId, 'asked'] as const,
};

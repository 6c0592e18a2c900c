export const keyKeys = {
  all: ['keys'] as const,
  of: (databaseId: string) => ['keys', databaseId] as const,
};

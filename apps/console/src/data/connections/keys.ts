export const connectionKeys = {
  of: (databaseId: string) => ['connections', databaseId] as const,
  access: (databaseId: string) => ['direct-access', databaseId] as const,
};

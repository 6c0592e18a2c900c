export const connectionKeys = { of: (databaseId: string) => ['connections', databaseId] as const };

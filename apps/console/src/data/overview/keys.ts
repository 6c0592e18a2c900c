export const overviewKeys = { of: (databaseId: string) => ['overview', databaseId] as const };

export const telemetryKeys = {
  requests: (databaseId: string) => ['requests', databaseId] as const,
  usage: (databaseId: string) => ['usage', databaseId] as const,
};

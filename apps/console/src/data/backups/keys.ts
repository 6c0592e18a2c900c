export const backupKeys = {
  of: (projectId: string) => ['backups', projectId] as const,
  loads: (databaseId: string) => ['backups', 'loads', databaseId] as const,
  load: (databaseId: string, loadId: string) => ['backups', 'load', databaseId, loadId] as const,
};

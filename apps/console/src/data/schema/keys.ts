export const schemaKeys = {
  all: (projectId: string) => ['schema', projectId] as const,
  working: (projectId: string) => ['schema', projectId, 'working'] as const,
  diff: (projectId: string, databaseId: string) => ['schema', projectId, 'diff', databaseId] as const,
  structure: (projectId: string, table: string) => ['schema', projectId, 'structure', table] as const,
  revisions: (projectId: string) => ['schema', projectId, 'revisions'] as const,
  drift: (projectId: string) => ['schema', projectId, 'drift'] as const,
  preview: (projectId: string, request: unknown) => ['schema', projectId, 'preview', request] as const,
  file: (projectId: string, fileId: string) => ['schema-file', projectId, fileId] as const,
  /** Keyed by snapshot number, whose content never changes. */
  deployed: (databaseId: string, snapshot: number) => ['deployed-schema', databaseId, snapshot] as const,
};

export const shareKeys = {
  of: (projectId: string) => ['shares', projectId] as const,
  preview: (token: string) => ['share-preview', token] as const,
};

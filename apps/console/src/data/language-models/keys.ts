export const modelKeys = {
  of: (projectId: string) => ['language-model', projectId] as const,
};

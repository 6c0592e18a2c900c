export const projectKeys = {
  all: ['projects'] as const,
  one: (projectId: string) => ['projects', projectId] as const,
};

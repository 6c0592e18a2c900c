export const accountKeys = { sessions: ['sessions'] as const, tokens: ['tokens'] as const };

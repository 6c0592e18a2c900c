export const sessionKeys = { me: ['session'] as const };

export const teamKeys = {
  members: (organizationId: string) => ['members', organizationId] as const,
  invitations: (organizationId: string) => ['invitations', organizationId] as const,
  audit: (organizationId: string) => ['audit', organizationId] as const,
  open: (token: string) => ['invitation', token] as const,
};

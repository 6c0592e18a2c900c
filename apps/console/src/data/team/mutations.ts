import type { CreatedInvitationAnswer, MemberAnswer, OrganizationAnswer, Role } from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendRequest } from '../client/send-request.js';
import { sessionKeys } from '../session/keys.js';
import { teamKeys } from './keys.js';

export function useInvite(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: { email: string; role: Role }) => sendRequest<CreatedInvitationAnswer>('POST', `/api/organizations/${organizationId}/invitations`, request),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: teamKeys.invitations(organizationId) }),
  });
}

export function useWithdrawInvitation(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (invitationId: string) => sendRequest<undefined>('DELETE', `/api/organizations/${organizationId}/invitations/${invitationId}`),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: teamKeys.invitations(organizationId) }),
  });
}

export function useChangeMember(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ accountId, role }: { accountId: string; role: Role }) => sendRequest<MemberAnswer>('PATCH', `/api/organizations/${organizationId}/members/${accountId}`, { role }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: teamKeys.members(organizationId) }),
  });
}

export function useRemoveMember(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (accountId: string) => sendRequest<undefined>('DELETE', `/api/organizations/${organizationId}/members/${accountId}`),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: teamKeys.members(organizationId) }),
  });
}

export function useAcceptInvitation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (token: string) => sendRequest<{ organization_id: string }>('POST', '/api/invitations/accept', { token }),
    onSuccess: () => queryClient.invalidateQueries(),
  });
}

export function useRenameOrganization(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => sendRequest<OrganizationAnswer>('PATCH', `/api/organizations/${organizationId}`, { name }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionKeys.me }),
  });
}

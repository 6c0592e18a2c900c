import type {
  CreatedInvitationResponse,
  MemberResponse,
  OrganizationResponse,
  Role,
} from '@rowhouse/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiError } from '../client/api-error.js';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { projectKeys } from '../projects/queries.js';
import { sessionKeys } from '../session/queries.js';
import { teamKeys } from './queries.js';

const toPath = (organizationId: string, rest: string): string =>
  `/api/organizations/${organizationId}/${rest}`;

export const useInvite = (organizationId: string) =>
  useChange(
    (request: { email: string; role: Role }) =>
      sendRequest<CreatedInvitationResponse>('POST', toPath(organizationId, 'invitations'), request),
    teamKeys.invitations(organizationId),
  );

export const useWithdrawInvitation = (organizationId: string) =>
  useChange(
    (invitationId: string) =>
      sendRequest<undefined>('DELETE', toPath(organizationId, `invitations/${invitationId}`)),
    teamKeys.invitations(organizationId),
  );

export const useChangeMember = (organizationId: string) =>
  useChange(
    ({ accountId, role, keepsCredentials }: { accountId: string; role: Role; keepsCredentials?: boolean }) =>
      sendRequest<MemberResponse>('PATCH', toPath(organizationId, `members/${accountId}`), {
        role,
        ...(keepsCredentials === true ? { keep_credentials: true } : {}),
      }),
    teamKeys.members(organizationId),
  );

/** Decides whether members need two-factor authentication. */
export const useRequireTwoFactor = (organizationId: string) =>
  useChange(
    (required: boolean) =>
      sendRequest<OrganizationResponse>('PUT', toPath(organizationId, 'two-factor'), { required }),
    sessionKeys.me,
  );

export const useRemoveMember = (organizationId: string) =>
  useChange(
    ({ accountId, keepsCredentials }: { accountId: string; keepsCredentials: boolean }) =>
      sendRequest<undefined>(
        'DELETE',
        toPath(organizationId, `members/${accountId}${keepsCredentials ? '?keep_credentials=true' : ''}`),
      ),
    teamKeys.members(organizationId),
  );

/**
 * Ends the caller's membership. It does not wait for queries to reload, because the caller may no longer see
 * the current screen and must leave it first.
 */
export function useLeaveOrganization(organizationId: string) {
  const queryClient = useQueryClient();
  return useMutation<undefined, ApiError, string>({
    mutationFn: (accountId) =>
      sendRequest<undefined>('DELETE', toPath(organizationId, `members/${accountId}`)),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: sessionKeys.me });
      void queryClient.invalidateQueries({ queryKey: projectKeys.all, exact: true });
    },
  });
}

/** Accepts an invitation. All queries are reloaded, because a new member may see more. */
export const useAcceptInvitation = () =>
  useChange(
    (token: string) => sendRequest<{ organization_id: string }>('POST', '/api/invitations/accept', { token }),
    [],
  );

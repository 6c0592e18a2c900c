import type { CreatedInvitationAnswer, MemberAnswer, Role } from '@rowhouse/contracts';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { teamKeys } from './keys.js';

const toPath = (organizationId: string, rest: string): string => `/api/organizations/${organizationId}/${rest}`;

export const useInvite = (organizationId: string) =>
  useChange((request: { email: string; role: Role }) => sendRequest<CreatedInvitationAnswer>('POST', toPath(organizationId, 'invitations'), request), teamKeys.invitations(organizationId));

export const useWithdrawInvitation = (organizationId: string) =>
  useChange((invitationId: string) => sendRequest<undefined>('DELETE', toPath(organizationId, `invitations/${invitationId}`)), teamKeys.invitations(organizationId));

export const useChangeMember = (organizationId: string) =>
  useChange(({ accountId, role }: { accountId: string; role: Role }) => sendRequest<MemberAnswer>('PATCH', toPath(organizationId, `members/${accountId}`), { role }), teamKeys.members(organizationId));

export const useRemoveMember = (organizationId: string) =>
  useChange((accountId: string) => sendRequest<undefined>('DELETE', toPath(organizationId, `members/${accountId}`)), teamKeys.members(organizationId));

/** One becomes a member: everything may look different now. */
export const useAcceptInvitation = () => useChange((token: string) => sendRequest<{ organization_id: string }>('POST', '/api/invitations/accept', { token }), []);

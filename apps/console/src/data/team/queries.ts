import type {
  AuditItem,
  InvitationResponse,
  ListResponse,
  MemberResponse,
  MemberCredentialsResponse,
  OpenInvitationResponse,
} from '@rowhouse/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { fetchAll, withCursor } from '../client/fetch-all.js';
import { sendRequest, toSearch } from '../client/send-request.js';

export const teamKeys = {
  members: (organizationId: string) => ['members', organizationId] as const,
  invitations: (organizationId: string) => ['invitations', organizationId] as const,
  audit: (organizationId: string) => ['audit', organizationId] as const,
  open: (token: string) => ['invitation', token] as const,
};
export const membersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: teamKeys.members(organizationId),
    queryFn: () => fetchAll<MemberResponse>(`/api/organizations/${organizationId}/members`),
  });

export const invitationsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: teamKeys.invitations(organizationId),
    queryFn: () => fetchAll<InvitationResponse>(`/api/organizations/${organizationId}/invitations`),
  });

/**
 * Loads the number of a member's API keys, connections and share links. They become invalid when the
 * membership ends or the role becomes viewer.
 */
export const memberCredentialsQuery = (organizationId: string, accountId: string) =>
  queryOptions({
    queryKey: [...teamKeys.members(organizationId), accountId, 'credentials'] as const,
    queryFn: () =>
      sendRequest<MemberCredentialsResponse>(
        'GET',
        `/api/organizations/${organizationId}/members/${accountId}/credentials`,
      ),
    staleTime: 0,
  });

/** The content of an invitation for the caller's address. */
export const openInvitationQuery = (token: string) =>
  queryOptions({
    queryKey: teamKeys.open(token),
    queryFn: () =>
      sendRequest<OpenInvitationResponse>('GET', `/api/invitations/${encodeURIComponent(token)}`),
    retry: false,
  });

export interface AuditFilter {
  readonly action?: string | undefined;
  readonly account?: string | undefined;
  readonly since?: string | undefined;
}

export const auditQuery = (organizationId: string, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [...teamKeys.audit(organizationId), filter] as const,
    queryFn: ({ pageParam }) =>
      sendRequest<ListResponse<AuditItem>>(
        'GET',
        withCursor(
          `/api/organizations/${organizationId}/audit${toSearch({ ...filter, limit: 50 })}`,
          pageParam,
        ),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

import type { OrganizationResponse } from '@rowhouse/contracts';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { sessionKeys } from '../session/queries.js';

/** The caller becomes the owner. */
export const useCreateOrganization = () =>
  useChange(
    (name: string) => sendRequest<OrganizationResponse>('POST', '/api/organizations', { name }),
    sessionKeys.me,
  );

export const useRenameOrganization = (organizationId: string) =>
  useChange(
    (name: string) =>
      sendRequest<OrganizationResponse>('PATCH', `/api/organizations/${organizationId}`, { name }),
    sessionKeys.me,
  );

/** `confirm` is the typed name. The organization must not have projects. */
export const useDeleteOrganization = (organizationId: string) =>
  useChange(
    (confirm: string) =>
      sendRequest<undefined>('DELETE', `/api/organizations/${organizationId}`, { confirm }),
    sessionKeys.me,
  );

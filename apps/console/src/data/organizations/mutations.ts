import type { OrganizationResponse } from '@rowhouse/contracts';
import { sendRequest } from '../client/send-request.js';
import { useChange } from '../client/use-change.js';
import { sessionKeys } from '../session/queries.js';

/** Creates an organization. The caller becomes its owner. */
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

/** Deletes an organization without projects. `confirm` is the name that the user typed to confirm. */
export const useDeleteOrganization = (organizationId: string) =>
  useChange(
    (confirm: string) =>
      sendRequest<undefined>('DELETE', `/api/organizations/${organizationId}`, { confirm }),
    sessionKeys.me,
  );

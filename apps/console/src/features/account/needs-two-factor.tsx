import type { OrganizationResponse, SessionResponse } from '@rowhouse/contracts';
import { ButtonLink } from '../../ui/layout/links.js';
import { EmptyState } from '../../ui/notices/empty-state.js';

/** Replaces a page that requires two-factor authentication, for a user without it. */
export function NeedsTwoFactor({ organizations }: { organizations: readonly OrganizationResponse[] }) {
  const names = organizations.map(({ name }) => name).join(', ');
  return (
    <EmptyState
      title="Two-factor authentication required"
      action={<ButtonLink to="/account">Set up</ButtonLink>}
    >
      {names === '' ? 'This organization' : names} {organizations.length > 1 ? 'require' : 'requires'}{' '}
      two-factor authentication. Set it up in your account to open{' '}
      {organizations.length > 1 ? 'their' : 'its'} projects.
    </EmptyState>
  );
}

/** Returns the organizations that the user cannot open without two-factor authentication. */
export function findClosedOrganizations(session: SessionResponse | undefined): OrganizationResponse[] {
  if (session === undefined || session.account.has_two_factor) return [];
  return session.organizations.filter((organization) => organization.requires_two_factor);
}

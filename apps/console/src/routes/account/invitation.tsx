import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { toApiError, type ApiError } from '../../data/client/api-error.js';
import { useAcceptInvitation } from '../../data/team/mutations.js';
import { openInvitationQuery } from '../../data/team/queries.js';
import classes from '../../features/account/account.module.css';
import { ROLE_CHOICES } from '../../features/team/describe-role.js';
import { EmptyState } from '../../ui/notices/empty-state.js';
import { ButtonLink } from '../../ui/layout/links.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { showToast } from '../../ui/notices/toasts.js';

const route = getRouteApi('/signed-in/invitations/$token');

/** The page that an invitation link opens. */
export function InvitationScreen() {
  const { token } = route.useParams();
  const navigate = useNavigate();
  const invitation = useQuery(openInvitationQuery(token));
  const accept = useAcceptInvitation();
  const found = invitation.data;
  // If the server rejected the invitation, the page explains this. If no response arrived, it offers to try
  // again.
  if (invitation.isError && !isRejection(toApiError(invitation.error)))
    return (
      <Page title="Invitation">
        <ErrorNotice
          title="Couldn’t load the invitation"
          error={invitation.error}
          onRetry={() => void invitation.refetch()}
        />
      </Page>
    );
  if (invitation.isError) {
    return (
      <Page title="Invitation">
        <EmptyState
          title="This invitation isn’t valid"
          action={<ButtonLink to="/projects">All projects</ButtonLink>}
        >
          It may have been used or revoked, it may have expired, or it’s for a different email address. Ask
          for a new one.
        </EmptyState>
      </Page>
    );
  }
  if (found === undefined)
    return (
      <Page title="Invitation">
        <SkeletonRows rows={3} />
      </Page>
    );
  const join = (): void =>
    accept.mutate(token, {
      onSuccess: () => {
        showToast({ text: `You joined ${found.organization.name} as ${found.role}.` });
        void navigate({ to: '/projects' });
      },
    });
  return (
    <Page title={`Join ${found.organization.name}`} documentTitle="Invitation">
      <Panel label="Invitation">
        <div className={classes.offer}>
          <p>
            You’re invited as <strong>{found.role}</strong>.{' '}
            {ROLE_CHOICES.find((choice) => choice.value === found.role)?.text}
          </p>
          {accept.isError ? (
            <ErrorNotice title="Couldn’t join the organization" error={accept.error} />
          ) : null}
          <Button onClick={join} loading={accept.isPending}>
            Join {found.organization.name}
          </Button>
        </div>
      </Panel>
    </Page>
  );
}

function isRejection({ status }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

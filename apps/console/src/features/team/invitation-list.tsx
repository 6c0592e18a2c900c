import type { InvitationResponse, OrganizationResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { afterChange } from '../../data/client/use-change.js';
import { useWithdrawInvitation } from '../../data/team/mutations.js';
import { DataTable } from '../../ui/layout/data-table.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { Tag } from '../../ui/layout/tag.js';
import { DateText } from '../../ui/formatting/date-text.js';
import { showToast } from '../../ui/notices/toasts.js';
import classes from './team.module.css';

/** Lists the open invitations. */
export function InvitationList({
  organization,
  invitations,
}: {
  organization: OrganizationResponse;
  invitations: readonly InvitationResponse[];
}) {
  const withdraw = useWithdrawInvitation(organization.id);
  // If the last invitation is withdrawn, this list disappears. `afterChange` shows the notice even then.
  const take = ({ id, email }: InvitationResponse): void =>
    afterChange(withdraw.mutateAsync(id), () => showToast({ text: `Invitation to ${email} revoked.` }));
  return (
    <>
      {withdraw.isError ? (
        <div className={classes.inset}>
          <ErrorNotice title="Couldn’t revoke the invitation" error={withdraw.error} />
        </div>
      ) : null}
      <DataTable
        label="Open invitations"
        rows={invitations}
        rowKey={(invitation) => invitation.id}
        columns={[
          { header: 'Email', isTitle: true, cell: (invitation) => invitation.email },
          { header: 'Role', cell: (invitation) => <Tag>{invitation.role}</Tag> },
          {
            header: 'Expires',
            cell: (invitation) => <DateText iso={invitation.expires_at} absent="Never" />,
          },
          {
            header: 'Actions',
            quietHeader: true,
            align: 'end',
            cell: (invitation) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Revoke the invitation to ${invitation.email}`}
                loading={withdraw.isPending && withdraw.variables === invitation.id}
                onClick={() => take(invitation)}
              >
                Revoke
              </Button>
            ),
          },
        ]}
      />
    </>
  );
}

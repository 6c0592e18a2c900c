import type {
  MemberCredentialsResponse,
  MemberResponse,
  OrganizationResponse,
  Role,
} from '@rowhouse/contracts';
import { isRoleAtLeast } from '@rowhouse/contracts/roles';
import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../../data/session/queries.js';
import { useChangeMember, useRemoveMember } from '../../data/team/mutations.js';
import { memberCredentialsQuery } from '../../data/team/queries.js';
import { ConfirmDialog } from '../../ui/dialogs/lazy-dialog.js';
import { DataTable } from '../../ui/layout/data-table.js';
import { ErrorNotice } from '../../ui/notices/error-notice.js';
import { Tag } from '../../ui/layout/tag.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import { showToast } from '../../ui/notices/toasts.js';
import { rolesUpTo } from './describe-role.js';
import { LeaveDialog } from './leave-dialog.js';
import classes from './team.module.css';

/** Shows owners and admins who has two-factor authentication. */
const TWO_FACTOR = {
  header: 'Two-factor',
  cell: (member: MemberResponse) =>
    member.has_two_factor === true ? <Tag tone="pine">On</Tag> : <Tag>Off</Tag>,
};

/**
 * Lists the members of an organization. Admins can remove members and assign roles up to their own. Everyone
 * can leave.
 */
export function MemberList({
  organization,
  members,
}: {
  organization: OrganizationResponse;
  members: readonly MemberResponse[];
}) {
  const own = useQuery(sessionQuery).data?.account.id;
  const change = useChangeMember(organization.id);
  const navigate = useNavigate();
  const [removing, setRemoving] = useState<MemberResponse | null>(null);
  const [demoting, setDemoting] = useState<MemberResponse | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const mayTouch = (member: MemberResponse): boolean =>
    isRoleAtLeast(organization.role, 'admin') && isRoleAtLeast(organization.role, member.role);
  const give = (member: MemberResponse, role: Role): void =>
    change.mutate(
      { accountId: member.account_id, role },
      {
        onSuccess: () =>
          showToast({
            text: `${member.email} now has the role ${role}.`,
            undo: () => change.mutateAsync({ accountId: member.account_id, role: member.role }),
          }),
      },
    );
  return (
    <>
      {change.isError ? (
        <div className={classes.inset}>
          <ErrorNotice title="Couldn’t change the role" error={change.error} />
        </div>
      ) : null}
      <DataTable
        label="Members"
        rows={members}
        rowKey={(member) => member.account_id}
        columns={[
          {
            header: 'Member',
            isTitle: true,
            cell: (member) => (
              <span className={classes.who}>
                <span>
                  {member.name === '' ? member.email : member.name}
                  {member.account_id === own ? <Tag tone="pine">you</Tag> : null}
                </span>
                {member.name === '' ? null : <span className="rh-dim">{member.email}</span>}
              </span>
            ),
          },
          {
            header: 'Role',
            cell: (member) =>
              mayTouch(member) ? (
                <NativeSelect
                  size="xs"
                  aria-label={`Role of ${member.email}`}
                  data={rolesUpTo(organization.role)}
                  value={member.role}
                  disabled={change.isPending}
                  onChange={(event) => {
                    const role = event.currentTarget.value as Role;
                    if (role === 'viewer') setDemoting(member);
                    else give(member, role);
                  }}
                  className={classes.role}
                />
              ) : (
                <Tag>{member.role}</Tag>
              ),
          },
          ...(isRoleAtLeast(organization.role, 'admin') ? [TWO_FACTOR] : []),
          { header: 'Joined', cell: (member) => <TimeText iso={member.created_at} /> },
          {
            header: 'Actions',
            quietHeader: true,
            align: 'end',
            cell: (member) => {
              if (member.account_id === own)
                return (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label="Leave the organization"
                    onClick={() => setLeaving(true)}
                  >
                    Leave
                  </Button>
                );
              return mayTouch(member) ? (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Remove ${member.email}`}
                  onClick={() => setRemoving(member)}
                >
                  Remove
                </Button>
              ) : null;
            },
          },
        ]}
      />
      <RemoveMemberDialog organization={organization} removing={removing} onClose={() => setRemoving(null)} />
      <MakeViewerDialog organization={organization} member={demoting} onClose={() => setDemoting(null)} />
      <LeaveDialog
        organization={isLeaving ? organization : null}
        accountId={own ?? ''}
        onClose={() => setLeaving(false)}
        onLeft={() => void navigate({ to: '/projects' })}
      />
    </>
  );
}

function RemoveMemberDialog({
  organization,
  removing,
  onClose,
}: {
  organization: OrganizationResponse;
  removing: MemberResponse | null;
  onClose: () => void;
}) {
  const remove = useRemoveMember(organization.id);
  const [keepsCredentials, setKeepsCredentials] = useState(false);
  const close = (): void => {
    remove.reset();
    setKeepsCredentials(false);
    onClose();
  };
  return (
    <ConfirmDialog
      opened={removing !== null}
      title={`Remove ${removing?.email ?? ''}?`}
      actionLabel="Remove member"
      isPending={remove.isPending}
      error={remove.error}
      errorTitle="Couldn’t remove the member"
      onClose={close}
      onConfirm={() => {
        if (removing)
          remove.mutate({ accountId: removing.account_id, keepsCredentials }, { onSuccess: close });
      }}
    >
      <p>They lose access to this organization’s projects right away.</p>
      <RevokeCredentials
        organization={organization}
        member={removing}
        keeps={keepsCredentials}
        onChange={setKeepsCredentials}
      />
    </ConfirmDialog>
  );
}

/** Confirms that a member becomes a viewer, because the credentials they created are revoked. */
function MakeViewerDialog({
  organization,
  member,
  onClose,
}: {
  organization: OrganizationResponse;
  member: MemberResponse | null;
  onClose: () => void;
}) {
  const change = useChangeMember(organization.id);
  const [keepsCredentials, setKeepsCredentials] = useState(false);
  const close = (): void => {
    change.reset();
    setKeepsCredentials(false);
    onClose();
  };
  return (
    <ConfirmDialog
      opened={member !== null}
      title={`Make ${member?.email ?? ''} a viewer?`}
      actionLabel="Make viewer"
      isPending={change.isPending}
      error={change.error}
      errorTitle="Couldn’t change the role"
      onClose={close}
      onConfirm={() => {
        if (member)
          change.mutate(
            { accountId: member.account_id, role: 'viewer', keepsCredentials },
            {
              onSuccess: () => {
                showToast({ text: `${member.email} now has the role viewer.` });
                close();
              },
            },
          );
      }}
    >
      <p>They can read rows and schemas, but change nothing.</p>
      <RevokeCredentials
        organization={organization}
        member={member}
        keeps={keepsCredentials}
        onChange={setKeepsCredentials}
      />
    </ConfirmDialog>
  );
}

/** Lets an admin choose whether to revoke a member's credentials. Renders nothing for a member without credentials. */
function RevokeCredentials({
  organization,
  member,
  keeps,
  onChange,
}: {
  organization: OrganizationResponse;
  member: MemberResponse | null;
  keeps: boolean;
  onChange: (keeps: boolean) => void;
}) {
  const credentials = useQuery({
    ...memberCredentialsQuery(organization.id, member?.account_id ?? ''),
    enabled: member !== null,
  });
  const list = credentials.data === undefined ? '' : describeCredentials(credentials.data);
  return list === '' ? null : (
    <Checkbox
      checked={!keeps}
      onChange={(event) => onChange(!event.currentTarget.checked)}
      label={`Revoke what they created: ${list}`}
      description="Apps that use these stop working. If you keep them, this person can still use them."
    />
  );
}

/**
 * Describes a member's credentials, such as "2 API keys, 1 connection". Returns an empty string for a member without credentials.
 */
export function describeCredentials({
  api_keys: keys,
  connections,
  share_links: links,
}: MemberCredentialsResponse): string {
  const parts: readonly (readonly [number, string])[] = [
    [keys, 'API key'],
    [connections, 'connection'],
    [links, 'share link'],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count} ${name}${count === 1 ? '' : 's'}`)
    .join(', ');
}

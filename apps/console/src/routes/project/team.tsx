import type { OrganizationResponse } from '@rowhouse/contracts';
import { isRoleAtLeast } from '@rowhouse/contracts/roles';
import { Button, Tabs } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { sessionQuery } from '../../data/session/queries.js';
import { invitationsQuery, membersQuery } from '../../data/team/queries.js';
import { useCurrentDatabase } from '../../features/shell/current-database.js';
import { RoleNote } from '../../features/shell/role-note.js';
import { AuditTrail } from '../../features/team/audit-trail.js';
import { InvitationList } from '../../features/team/invitation-list.js';
import { MemberList } from '../../features/team/member-list.js';
import { TwoFactorRule } from '../../features/team/two-factor-rule.js';
import type { TeamSearch } from '../../features/team/team-search.js';
import classes from '../../features/team/team.module.css';
import { headingOf } from '../../first/page-headings.js';
import { QueryErrorNotice } from '../../ui/notices/error-notice.js';
import { Later } from '../../ui/loading/lazy-part.js';
import { lazyDialog } from '../../ui/dialogs/lazy-dialog.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { AwaitedRows, SkeletonRows } from '../../ui/loading/skeleton.js';

const InviteDialog = lazyDialog(() =>
  import('../../features/team/invite-dialog.js').then((module) => module.InviteDialog),
);

const route = getRouteApi('/signed-in/projects/$projectId/$environment/team');

/** The members of the organization and their audit log. */
export function TeamScreen() {
  const { project } = useCurrentDatabase();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const session = useQuery(sessionQuery);
  const organization = session.data?.organizations.find(
    (organization) => organization.id === project.organization_id,
  );
  const change = (part: { [Name in keyof TeamSearch]?: TeamSearch[Name] | undefined }): void =>
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...part }).filter(([, value]) => value !== undefined),
        ) as TeamSearch,
      replace: true,
    });
  if (organization === undefined)
    return (
      <Page {...headingOf('team')}>
        <SkeletonRows rows={4} />
      </Page>
    );
  const isAdmin = isRoleAtLeast(organization.role, 'admin');
  return (
    <Page
      {...headingOf('team')}
      lead={`Members can access every project in ${organization.name}.`}
      actions={
        isAdmin ? (
          <Button leftSection={<IconUserPlus size={16} />} onClick={() => change({ invite: true })}>
            Invite
          </Button>
        ) : undefined
      }
    >
      <RoleNote project={project} least="admin" toDo="invite people or view the audit log" />
      <Tabs
        value={search.tab ?? 'members'}
        onChange={(tab) => change({ tab: tab === 'audit' ? 'audit' : undefined })}
        keepMounted={false}
      >
        <Tabs.List aria-label="Team">
          <Tabs.Tab value="members">Members</Tabs.Tab>
          {isAdmin ? <Tabs.Tab value="audit">Audit log</Tabs.Tab> : null}
        </Tabs.List>
        <Tabs.Panel value="members">
          <Members organization={organization} isAdmin={isAdmin} />
        </Tabs.Panel>
        {isAdmin ? (
          <Tabs.Panel value="audit">
            <Audit organization={organization} search={search} onChange={change} />
          </Tabs.Panel>
        ) : null}
      </Tabs>
      <InviteDialog
        organization={organization}
        opened={search.invite === true && isAdmin}
        onClose={() => change({ invite: undefined })}
      />
    </Page>
  );
}

function Members({ organization, isAdmin }: { organization: OrganizationResponse; isAdmin: boolean }) {
  const members = useQuery(membersQuery(organization.id));
  const invitations = useQuery({ ...invitationsQuery(organization.id), enabled: isAdmin });
  const session = useQuery(sessionQuery);
  // The list waits for the members above it. Otherwise it would move down when they appear.
  const open = invitations.data ?? [];
  return (
    <div className={classes.stack}>
      {members.isPending ? <AwaitedRows rows={3} /> : null}
      <QueryErrorNotice title="Couldn’t load members" query={members} />
      {members.data ? (
        <Later instead={<AwaitedRows rows={3} />}>
          <Panel flush label="Members">
            <MemberList organization={organization} members={members.data} />
          </Panel>
          {organization.role === 'owner' ? (
            <TwoFactorRule
              organization={organization}
              members={members.data}
              hasTwoFactor={session.data?.account.has_two_factor ?? false}
            />
          ) : null}
          {open.length > 0 ? (
            <Panel title="Open invitations" flush>
              <InvitationList organization={organization} invitations={open} />
            </Panel>
          ) : null}
          {isAdmin ? (
            <p className="rh-note">
              {organization.role === 'owner' ? 'Rename or delete' : 'Rename'} {organization.name} in{' '}
              <Link to="/account">your account settings</Link>.
            </p>
          ) : null}
        </Later>
      ) : null}
      <QueryErrorNotice title="Couldn’t load invitations" query={invitations} />
    </div>
  );
}

function Audit({
  organization,
  search,
  onChange,
}: {
  organization: OrganizationResponse;
  search: TeamSearch;
  onChange: (part: { [Name in keyof TeamSearch]?: TeamSearch[Name] | undefined }) => void;
}) {
  const members = useQuery(membersQuery(organization.id));
  return (
    <AuditTrail
      organizationId={organization.id}
      members={members.data ?? []}
      search={search}
      onChange={onChange}
    />
  );
}

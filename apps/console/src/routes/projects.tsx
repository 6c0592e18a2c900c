import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { projectsQuery } from '../data/projects/queries.js';
import { sessionQuery } from '../data/session/queries.js';
import { findClosedOrganizations, NeedsTwoFactor } from '../features/account/needs-two-factor.js';
import { ProjectList } from '../features/projects/project-list.js';
import { useOpenProject } from '../features/projects/use-open-project.js';
import { headingOf } from '../first/page-headings.js';
import { EmptyState } from '../ui/notices/empty-state.js';
import { QueryErrorNotice } from '../ui/notices/error-notice.js';
import { ButtonLink } from '../ui/layout/links.js';
import { lazyDialog } from '../ui/dialogs/lazy-dialog.js';
import { Later } from '../ui/loading/lazy-part.js';
import { Page } from '../ui/layout/page.js';
import { SkeletonRows } from '../ui/loading/skeleton.js';

const CreateProjectDialog = lazyDialog(() =>
  import('../features/projects/create-project-dialog.js').then((module) => module.CreateProjectDialog),
);

const route = getRouteApi('/signed-in/projects');

export function ProjectsScreen() {
  const { create } = route.useSearch();
  const navigate = useNavigate();
  const projects = useQuery(projectsQuery);
  const setCreating = (isOpen: boolean): void =>
    void navigate({ to: '/projects', search: isOpen ? { create: true } : {}, replace: !isOpen });
  const open = useOpenProject();
  const session = useQuery(sessionQuery).data;
  const belongs = session?.organizations.length !== 0;
  const closed = findClosedOrganizations(session);
  const newButton = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      New project
    </Button>
  );
  return (
    <Page {...headingOf('projects')} actions={belongs ? newButton : undefined}>
      {projects.isPending ? <SkeletonRows rows={3} height={120} /> : null}
      <QueryErrorNotice title="Couldn’t load your projects" query={projects} />
      {projects.data?.length === 0 && !belongs ? (
        <EmptyState
          title="Create an organization first"
          action={<ButtonLink to="/account">Create organization</ButtonLink>}
        >
          Every project belongs to an organization. Create one, or ask to be invited to one.
        </EmptyState>
      ) : null}
      {closed.length > 0 ? <NeedsTwoFactor organizations={closed} /> : null}
      {projects.data?.length === 0 && belongs && closed.length === 0 ? (
        <EmptyState title="No projects yet" action={newButton}>
          A project gives you a development and a production database, each with a REST API.
        </EmptyState>
      ) : null}
      {projects.data && projects.data.length > 0 ? (
        <Later instead={<SkeletonRows rows={3} height={120} />}>
          <ProjectList projects={projects.data} />
        </Later>
      ) : null}
      <CreateProjectDialog
        opened={create === true}
        onClose={() => setCreating(false)}
        onCreated={(project, view) => open(project, view, false)}
      />
    </Page>
  );
}

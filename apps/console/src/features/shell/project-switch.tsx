import { IconChevronDown, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { projectQuery, projectsQuery } from '../../data/projects/queries.js';
import { Dropdown, DropdownDivider, DropdownItem } from '../../ui/controls/dropdown.js';
import { fetchEarly } from '../../ui/loading/fetch-early.js';
import type { PageLocation } from './pages.js';
import classes from './project-switch.module.css';

const LISTED_MAX = 12;

/** Shows the name of the open project and a menu of other projects. */
export function ProjectSwitch({ projectId, environment }: PageLocation) {
  const project = useQuery(projectQuery(projectId));
  const client = useQueryClient();
  const navigate = useNavigate();
  useEffect(() => fetchEarly(() => client.prefetchQuery(projectsQuery)), [client]);
  const name = project.data?.name ?? '…';
  return (
    <Dropdown
      label={`Project: ${name}. Switch project`}
      triggerClassName={classes.button}
      trigger={
        <>
          <span className={classes.name}>{name}</span>
          <IconChevronDown size={14} aria-hidden />
        </>
      }
    >
      <ProjectChoices projectId={projectId} environment={environment} />
      <DropdownDivider />
      <DropdownItem onSelect={() => void navigate({ to: '/projects' })}>All projects</DropdownItem>
      <DropdownItem
        icon={<IconPlus size={15} />}
        onSelect={() => void navigate({ to: '/projects', search: { create: true } })}
      >
        New project
      </DropdownItem>
    </Dropdown>
  );
}

/**
 * The list of projects in the menu. It is loaded when the menu opens or after the first input, because it is
 * not visible before.
 */
function ProjectChoices({ projectId, environment }: PageLocation) {
  const projects = useQuery(projectsQuery);
  const navigate = useNavigate();
  return (projects.data ?? []).slice(0, LISTED_MAX).map((entry) => (
    <DropdownItem
      key={entry.id}
      isChosen={entry.id === projectId}
      onSelect={() =>
        void navigate({
          to: '/projects/$projectId/$environment',
          params: { projectId: entry.id, environment: pickEnvironment(entry.databases, environment) },
        })
      }
    >
      {entry.name}
    </DropdownItem>
  ));
}

/**
 * Returns the requested environment if the project has it. Otherwise it returns the project's first
 * environment.
 */
function pickEnvironment(databases: readonly { environment: string }[], requested: string): string {
  return (
    databases.find((database) => database.environment === requested)?.environment ??
    databases[0]?.environment ??
    requested
  );
}

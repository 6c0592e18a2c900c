import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { projectQuery, projectsQuery, sortDatabases } from '../../data/projects/queries.js';
import { savedQueriesQuery } from '../../data/query-runs/queries.js';
import { workingSchemaQuery } from '../../data/schema/queries.js';
import { useLogout } from '../../data/session/mutations.js';
import type { SchemaSearch } from '../schema/schema-search.js';
import { PAGES } from '../shell/pages.js';

export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  readonly group: string;
  readonly hint?: string;
  readonly run: () => void;
}

/**
 * Returns the palette's entries for the current page: pages, actions, tables, saved queries, other projects,
 * and entries that are always available.
 */
export function usePaletteEntries(): PaletteEntry[] {
  const { projectId, environment } = useParams({ strict: false });
  return [
    ...usePageEntries(projectId, environment),
    ...useTableEntries(projectId, environment),
    ...useSavedEntries(projectId, environment),
    ...useProjectEntries(),
    ...useGeneralEntries(),
  ];
}

function usePageEntries(projectId: string | undefined, environment: string | undefined): PaletteEntry[] {
  const navigate = useNavigate();
  if (projectId === undefined || environment === undefined) return [];
  const params = { projectId, environment };
  const goToSchema = (search: SchemaSearch): void =>
    void navigate({ to: '/projects/$projectId/$environment/schema', params, search });
  const pages = PAGES.map((page) => ({
    id: page.to,
    label: page.label,
    group: 'Page',
    run: () => void navigate({ to: page.to, params }),
  }));
  return [
    ...pages,
    {
      id: 'new-key',
      label: 'Create an API key',
      group: 'Action',
      run: () =>
        void navigate({ to: '/projects/$projectId/$environment/keys', params, search: { create: true } }),
    },
    {
      id: 'invite',
      label: 'Invite a teammate',
      group: 'Action',
      run: () =>
        void navigate({ to: '/projects/$projectId/$environment/team', params, search: { invite: true } }),
    },
    {
      id: 'new-connection',
      label: 'Create a connection string',
      group: 'Action',
      run: () =>
        void navigate({ to: '/projects/$projectId/$environment/connect', params, search: { tab: 'direct' } }),
    },
    {
      id: 'agent',
      label: 'Connect an AI agent (MCP)',
      group: 'Action',
      run: () =>
        void navigate({ to: '/projects/$projectId/$environment/connect', params, search: { tab: 'mcp' } }),
    },
    { id: 'new-table', label: 'Create a table', group: 'Action', run: () => goToSchema({ edit: 'new' }) },
    {
      id: 'describe',
      label: 'Describe a schema change',
      group: 'Action',
      run: () => goToSchema({ view: 'describe' }),
    },
    { id: 'sql', label: 'Edit the schema as SQL', group: 'Action', run: () => goToSchema({ view: 'sql' }) },
    {
      id: 'deploy',
      label: 'Review and deploy the draft',
      group: 'Action',
      run: () => goToSchema({ view: 'deploy' }),
    },
    { id: 'diagram', label: 'Schema diagram', group: 'Page', run: () => goToSchema({ view: 'diagram' }) },
    {
      id: 'audit',
      label: 'Audit log',
      group: 'Page',
      run: () =>
        void navigate({ to: '/projects/$projectId/$environment/team', params, search: { tab: 'audit' } }),
    },
  ];
}

function useTableEntries(projectId: string | undefined, environment: string | undefined): PaletteEntry[] {
  const navigate = useNavigate();
  const schema = useQuery({ ...workingSchemaQuery(projectId ?? ''), enabled: projectId !== undefined });
  if (projectId === undefined || environment === undefined) return [];
  return (schema.data?.tables ?? []).map((table) => ({
    id: `table-${table.name}`,
    label: table.name,
    group: 'Table',
    run: () =>
      void navigate({
        to: '/projects/$projectId/$environment/data/$table',
        params: { projectId, environment, table: table.name },
      }),
  }));
}

function useSavedEntries(projectId: string | undefined, environment: string | undefined): PaletteEntry[] {
  const navigate = useNavigate();
  const project = useQuery({ ...projectQuery(projectId ?? ''), enabled: projectId !== undefined });
  const database = project.data?.databases.find((candidate) => candidate.environment === environment);
  const saved = useQuery({ ...savedQueriesQuery(database?.id ?? ''), enabled: database !== undefined });
  if (projectId === undefined || environment === undefined) return [];
  return (saved.data ?? []).map((query) => ({
    id: query.id,
    label: query.name,
    group: 'Saved query',
    run: () =>
      void navigate({
        to: '/projects/$projectId/$environment/query',
        params: { projectId, environment },
        search: { saved: query.id },
      }),
  }));
}

function useProjectEntries(): PaletteEntry[] {
  const navigate = useNavigate();
  const projects = useQuery(projectsQuery);
  return (projects.data ?? []).flatMap((project) =>
    sortDatabases(project.databases).map((database) => ({
      id: database.id,
      label: `${project.name} · ${database.environment}`,
      group: 'Project',
      run: () =>
        void navigate({
          to: '/projects/$projectId/$environment',
          params: { projectId: project.id, environment: database.environment },
        }),
    })),
  );
}

function useGeneralEntries(): PaletteEntry[] {
  const navigate = useNavigate();
  const logout = useLogout();
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  return [
    { id: 'projects', label: 'All projects', group: 'Page', run: () => void navigate({ to: '/projects' }) },
    { id: 'account', label: 'Your account', group: 'Page', run: () => void navigate({ to: '/account' }) },
    {
      id: 'new-project',
      label: 'Create a project',
      group: 'Action',
      run: () => void navigate({ to: '/projects', search: { create: true } }),
    },
    {
      id: 'scheme',
      label: other === 'dark' ? 'Dark mode' : 'Light mode',
      group: 'Action',
      run: () => setColorScheme(other),
    },
    {
      id: 'system-scheme',
      label: 'System theme',
      group: 'Action',
      run: () => setColorScheme('auto'),
    },
    {
      id: 'logout',
      label: 'Sign out',
      group: 'Action',
      run: () => logout.mutate(undefined, { onSettled: () => void navigate({ to: '/login' }) }),
    },
  ];
}

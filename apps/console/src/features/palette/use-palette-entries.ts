import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { projectQuery, projectsQuery, sortDatabases } from '../../data/projects/queries.js';
import { savedQueriesQuery } from '../../data/query-runs/queries.js';
import { workingSchemaQuery } from '../../data/schema/queries.js';
import { useLogout } from '../../data/session/mutations.js';
import type { SchemaSearch } from '../schema/schema-search.js';
import { PAGES } from '../shell/pages.js';

/** Other words for the pages, by their label. */
const PAGE_TERMS: Readonly<Partial<Record<string, string>>> = {
  Overview: 'home dashboard start',
  Data: 'rows records table browse import csv export insert edit delete',
  Backups: 'backup restore snapshot export download recover dump',
  Query: 'sql question ask select editor run',
  Synonyms: 'words vocabulary',
  Schema: 'tables columns model structure import dump',
  Migrations: 'deploys changes history revert undo rollback',
  Connect: 'connection string endpoint url mcp rest driver',
  'API reference': 'docs documentation openapi endpoints swagger',
  Code: 'sdk client types models generate',
  'API keys': 'tokens secrets credentials scopes revoke rotate delete key',
  Logs: 'requests errors traffic monitor',
  Usage: 'limits quota metrics billing plan',
  Team: 'members users people roles invitations remove member',
  Settings: 'configuration options cors rate limit environments delete project rename project',
};

export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  readonly group: string;
  readonly hint?: string;
  /** Other words for the entry. They are searched but not shown. */
  readonly terms?: string;
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
    ...useSchemaEntries(projectId, environment),
    ...useProjectActions(projectId, environment),
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
  const pages = PAGES.map((page) => ({
    id: page.to,
    label: page.label,
    group: 'Page',
    ...(PAGE_TERMS[page.label] === undefined ? {} : { terms: PAGE_TERMS[page.label] }),
    run: () => void navigate({ to: page.to, params }),
  }));
  return [
    ...pages,
    {
      id: 'new-key',
      label: 'Create an API key',
      group: 'Action',
      terms: 'new add generate token secret credential',
      run: () =>
        void navigate({ to: '/projects/$projectId/$environment/keys', params, search: { create: true } }),
    },
    {
      id: 'invite',
      label: 'Invite a teammate',
      group: 'Action',
      terms: 'new add user teammate people',
      run: () =>
        void navigate({ to: '/projects/$projectId/$environment/team', params, search: { invite: true } }),
    },
    {
      id: 'new-connection',
      label: 'Create a connection string',
      group: 'Action',
      terms: 'new add mysql password direct user dsn',
      run: () =>
        void navigate({ to: '/projects/$projectId/$environment/connect', params, search: { tab: 'direct' } }),
    },
    {
      id: 'agent',
      label: 'Connect an AI agent (MCP)',
      group: 'Action',
      terms: 'claude cursor llm assistant',
      run: () =>
        void navigate({ to: '/projects/$projectId/$environment/connect', params, search: { tab: 'mcp' } }),
    },
    {
      id: 'audit',
      label: 'Audit log',
      group: 'Page',
      terms: 'history events activity who',
      run: () =>
        void navigate({ to: '/projects/$projectId/$environment/team', params, search: { tab: 'audit' } }),
    },
  ];
}

function useSchemaEntries(projectId: string | undefined, environment: string | undefined): PaletteEntry[] {
  const navigate = useNavigate();
  if (projectId === undefined || environment === undefined) return [];
  const params = { projectId, environment };
  const goToSchema = (search: SchemaSearch): void =>
    void navigate({ to: '/projects/$projectId/$environment/schema', params, search });
  return [
    {
      id: 'new-table',
      label: 'Create a table',
      group: 'Action',
      terms: 'new add',
      run: () => goToSchema({ edit: 'new' }),
    },
    {
      id: 'describe',
      label: 'Describe a schema change',
      group: 'Action',
      terms: 'words natural language ai generate change alter',
      run: () => goToSchema({ view: 'describe' }),
    },
    {
      id: 'sql',
      label: 'Edit the schema as SQL',
      group: 'Action',
      terms: 'ddl alter change edit migration',
      run: () => goToSchema({ view: 'sql' }),
    },
    {
      id: 'deploy',
      label: 'Review and deploy the draft',
      group: 'Action',
      terms: 'publish promote release migrate push apply',
      run: () => goToSchema({ view: 'deploy' }),
    },
    {
      id: 'diagram',
      label: 'Schema diagram',
      group: 'Page',
      terms: 'erd relations graph',
      run: () => goToSchema({ view: 'diagram' }),
    },
  ];
}

/** Actions on rows, backups, environments and the project. */
function useProjectActions(projectId: string | undefined, environment: string | undefined): PaletteEntry[] {
  const navigate = useNavigate();
  if (projectId === undefined || environment === undefined) return [];
  const params = { projectId, environment };
  return [
    {
      id: 'import',
      label: 'Import rows',
      group: 'Action',
      terms: 'csv json upload load data file',
      run: () => void navigate({ to: '/projects/$projectId/$environment/data', params }),
    },
    {
      id: 'new-environment',
      label: 'Create or delete an environment',
      group: 'Action',
      terms: 'new add remove database staging branch',
      run: () => void navigate({ to: '/projects/$projectId/$environment/settings', params }),
    },
    {
      id: 'delete-project',
      label: 'Delete the project',
      group: 'Action',
      terms: 'remove destroy',
      run: () => void navigate({ to: '/projects/$projectId/$environment/settings', params }),
    },
    {
      id: 'restore',
      label: 'Restore a backup',
      group: 'Action',
      terms: 'recover undo import dump',
      run: () => void navigate({ to: '/projects/$projectId/$environment/backups', params }),
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
    {
      id: 'projects',
      label: 'All projects',
      group: 'Page',
      terms: 'switch home list',
      run: () => void navigate({ to: '/projects' }),
    },
    {
      id: 'account',
      label: 'Your account',
      group: 'Page',
      terms: 'profile password email sessions tokens two-factor 2fa delete account',
      run: () => void navigate({ to: '/account' }),
    },
    {
      id: 'new-project',
      label: 'Create a project',
      group: 'Action',
      terms: 'new add',
      run: () => void navigate({ to: '/projects', search: { create: true } }),
    },
    {
      id: 'scheme',
      label: other === 'dark' ? 'Dark mode' : 'Light mode',
      group: 'Action',
      terms: 'theme appearance color',
      run: () => setColorScheme(other),
    },
    {
      id: 'system-scheme',
      label: 'System theme',
      group: 'Action',
      terms: 'appearance color automatic',
      run: () => setColorScheme('auto'),
    },
    {
      id: 'logout',
      label: 'Sign out',
      group: 'Action',
      terms: 'log out logout sign off exit',
      run: () => logout.mutate(undefined, { onSettled: () => void navigate({ to: '/login' }) }),
    },
  ];
}

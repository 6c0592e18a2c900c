import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { projectsQuery, sortDatabases } from '../../data/projects/queries.js';
import { workingSchemaQuery } from '../../data/schema/queries.js';
import { useLogout } from '../../data/session/mutations.js';
import { ROOMS } from '../shell/rooms.js';
import type { PaletteEntry } from './rank-entries.js';

/** What the palette offers here: rooms, actions, tables, other projects, and what is always there. */
export function usePaletteEntries(): PaletteEntry[] {
  const { projectId, environment } = useParams({ strict: false });
  return [...useRoomEntries(projectId, environment), ...useTableEntries(projectId, environment), ...useProjectEntries(), ...useGeneralEntries()];
}

function useRoomEntries(projectId: string | undefined, environment: string | undefined): PaletteEntry[] {
  const navigate = useNavigate();
  if (projectId === undefined || environment === undefined) return [];
  const params = { projectId, environment };
  const rooms = ROOMS.map((room) => ({ id: room.to, label: room.label, group: 'Page', run: () => void navigate({ to: room.to, params }) }));
  return [
    ...rooms,
    { id: 'new-key', label: 'Create an API key', group: 'Action', run: () => void navigate({ to: '/projects/$projectId/$environment/keys', params, search: { create: true } }) },
    { id: 'invite', label: 'Invite a member', group: 'Action', run: () => void navigate({ to: '/projects/$projectId/$environment/team', params, search: { invite: true } }) },
    { id: 'new-connection', label: 'Create a connection string', group: 'Action', run: () => void navigate({ to: '/projects/$projectId/$environment/connect', params, search: { tab: 'direct' } }) },
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
    run: () => void navigate({ to: '/projects/$projectId/$environment/data/$table', params: { projectId, environment, table: table.name } }),
  }));
}

function useProjectEntries(): PaletteEntry[] {
  const navigate = useNavigate();
  const projects = useQuery(projectsQuery);
  return (projects.data ?? []).flatMap((project) =>
    sortDatabases(project.databases)
      .map((database) => ({
        id: database.id,
        label: `${project.name} · ${database.environment}`,
        group: 'Project',
        run: () => void navigate({ to: '/projects/$projectId/$environment', params: { projectId: project.id, environment: database.environment } }),
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
    { id: 'new-project', label: 'Create a project', group: 'Action', run: () => void navigate({ to: '/projects', search: { create: true } }) },
    { id: 'scheme', label: `Use ${other} colours`, group: 'Action', run: () => setColorScheme(other) },
    { id: 'system-scheme', label: 'Follow the system colours', group: 'Action', run: () => setColorScheme('auto') },
    { id: 'logout', label: 'Sign out', group: 'Action', run: () => logout.mutate(undefined, { onSettled: () => void navigate({ to: '/login' }) }) },
  ];
}

import {
  IconActivity,
  IconBook2,
  IconChartBar,
  IconCode,
  IconDatabaseExport,
  IconHome2,
  IconKey,
  IconLayoutList,
  IconMessageQuestion,
  IconPlugConnected,
  IconSettings,
  IconTable,
  IconTimeline,
  IconUsers,
  IconVocabulary,
} from '@tabler/icons-react';

/** A project and one of its databases. */
export interface PageLocation {
  readonly projectId: string;
  readonly environment: string;
}

/**
 * The pages of a project by group, in the order of the sidebar and the palette. A new page needs a line here,
 * a route in `room-routes.ts` and a component in `routes/`. The sidebar, palette, breadcrumb and environment
 * switch follow from that.
 */
export const PAGE_GROUPS = [
  {
    title: null,
    rooms: [{ to: '/projects/$projectId/$environment', label: 'Overview', icon: IconHome2 }],
  },
  {
    title: 'Data',
    rooms: [
      { to: '/projects/$projectId/$environment/data', label: 'Data', icon: IconLayoutList },
      { to: '/projects/$projectId/$environment/query', label: 'Query', icon: IconMessageQuestion },
      { to: '/projects/$projectId/$environment/words', label: 'Words', icon: IconVocabulary },
      { to: '/projects/$projectId/$environment/backups', label: 'Backups', icon: IconDatabaseExport },
    ],
  },
  {
    title: 'Structure',
    rooms: [
      { to: '/projects/$projectId/$environment/schema', label: 'Schema', icon: IconTable },
      { to: '/projects/$projectId/$environment/migrations', label: 'Migrations', icon: IconTimeline },
    ],
  },
  {
    title: 'Use',
    rooms: [
      { to: '/projects/$projectId/$environment/connect', label: 'Connect', icon: IconPlugConnected },
      { to: '/projects/$projectId/$environment/keys', label: 'Keys', icon: IconKey },
      { to: '/projects/$projectId/$environment/api', label: 'API', icon: IconBook2 },
      { to: '/projects/$projectId/$environment/code', label: 'Code', icon: IconCode },
    ],
  },
  {
    title: 'Watch',
    rooms: [
      { to: '/projects/$projectId/$environment/logs', label: 'Logs', icon: IconActivity },
      { to: '/projects/$projectId/$environment/usage', label: 'Usage', icon: IconChartBar },
    ],
  },
  {
    title: 'House',
    rooms: [
      { to: '/projects/$projectId/$environment/team', label: 'Team', icon: IconUsers },
      { to: '/projects/$projectId/$environment/settings', label: 'Settings', icon: IconSettings },
    ],
  },
] as const;

type ConsolePage = (typeof PAGE_GROUPS)[number]['rooms'][number];
export type ConsolePagePath = ConsolePage['to'];

export const PAGES: readonly ConsolePage[] = PAGE_GROUPS.flatMap(
  (group): readonly ConsolePage[] => group.rooms,
);

/**
 * Returns the page of a URL by its fourth path segment. Returns the overview if there is none, and null if
 * the segment names no page.
 */
export function findCapacity(path: string): ConsolePage | null {
  const segment = path.split('/')[4] ?? '';
  if (segment === '') return PAGES.find((page) => page.label === 'Overview') ?? null;
  return PAGES.find((page) => page.to.endsWith(`/${segment}`)) ?? null;
}

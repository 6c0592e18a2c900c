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

/** The project and the environment of a page. */
export interface PageLocation {
  readonly projectId: string;
  readonly environment: string;
}

/**
 * The pages of a project by group, in the order of the sidebar and the palette. A page with `within` is shown
 * in the sidebar only while that section is open. A new page needs an entry here, a route in `page-routes.ts`
 * and a component in `routes/`. The sidebar, palette, breadcrumb and environment switch use this list.
 */
export const PAGE_GROUPS = [
  {
    title: null,
    pages: [{ to: '/projects/$projectId/$environment', label: 'Overview', icon: IconHome2 }],
  },
  {
    title: 'Build',
    pages: [
      { to: '/projects/$projectId/$environment/data', label: 'Data', icon: IconLayoutList },
      {
        to: '/projects/$projectId/$environment/backups',
        label: 'Backups',
        icon: IconDatabaseExport,
        within: 'Data',
      },
      { to: '/projects/$projectId/$environment/query', label: 'Query', icon: IconMessageQuestion },
      {
        to: '/projects/$projectId/$environment/synonyms',
        label: 'Synonyms',
        icon: IconVocabulary,
        within: 'Query',
      },
      { to: '/projects/$projectId/$environment/schema', label: 'Schema', icon: IconTable },
      {
        to: '/projects/$projectId/$environment/migrations',
        label: 'Migrations',
        icon: IconTimeline,
        within: 'Schema',
      },
    ],
  },
  {
    title: 'API',
    pages: [
      { to: '/projects/$projectId/$environment/connect', label: 'Connect', icon: IconPlugConnected },
      {
        to: '/projects/$projectId/$environment/api',
        label: 'API reference',
        icon: IconBook2,
        within: 'Connect',
      },
      {
        to: '/projects/$projectId/$environment/code',
        label: 'Code',
        icon: IconCode,
        within: 'Connect',
      },
      { to: '/projects/$projectId/$environment/keys', label: 'API keys', icon: IconKey },
    ],
  },
  {
    title: 'Monitor',
    pages: [
      { to: '/projects/$projectId/$environment/logs', label: 'Logs', icon: IconActivity },
      { to: '/projects/$projectId/$environment/usage', label: 'Usage', icon: IconChartBar },
    ],
  },
  {
    title: 'Project',
    pages: [
      { to: '/projects/$projectId/$environment/team', label: 'Team', icon: IconUsers },
      { to: '/projects/$projectId/$environment/settings', label: 'Settings', icon: IconSettings },
    ],
  },
] as const;

type ConsolePage = (typeof PAGE_GROUPS)[number]['pages'][number];
export type ConsolePagePath = ConsolePage['to'];

export const PAGES: readonly ConsolePage[] = PAGE_GROUPS.flatMap(
  (group): readonly ConsolePage[] => group.pages,
);

/**
 * Returns the page that a URL shows, by the fourth segment of its path. Without this segment, it is the
 * overview. Returns null for an unknown segment.
 */
export function findPage(path: string): ConsolePage | null {
  const segment = path.split('/')[4] ?? '';
  if (segment === '') return PAGES.find((page) => page.label === 'Overview') ?? null;
  return PAGES.find((page) => page.to.endsWith(`/${segment}`)) ?? null;
}

/**
 * Returns the label of the sidebar entry to which a page belongs. For most pages, this is the page's own
 * entry.
 */
export function sectionOf(page: ConsolePage): string {
  return 'within' in page ? page.within : page.label;
}

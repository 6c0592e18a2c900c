/** The tabs of the settings page, in order, with their labels. */
export const SETTINGS_TABS = {
  project: 'Project',
  api: 'API',
  tables: 'Tables',
  questions: 'Questions',
} as const;

export type SettingsTab = keyof typeof SETTINGS_TABS;

/** The search parameters of the settings page. */
export interface SettingsSearch {
  readonly tab?: SettingsTab;
  readonly find?: string;
}

const FIND_LENGTH_MAX = 100;

export function readSettingsSearch(search: Record<string, unknown>): SettingsSearch {
  const tab = search['tab'];
  const find = search['find'];
  return {
    ...(typeof tab === 'string' && Object.hasOwn(SETTINGS_TABS, tab) && tab !== 'project'
      ? { tab: tab as SettingsTab }
      : {}),
    ...(typeof find === 'string' && find !== '' ? { find: find.slice(0, FIND_LENGTH_MAX) } : {}),
  };
}

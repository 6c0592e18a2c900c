import { createContext, useContext } from 'react';

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

/** Which settings the page shows: those of a tab, or those of all tabs that match a search. */
export interface ShownSettings {
  readonly tab: SettingsTab;
  readonly find: string;
}

export const ShownSettingsContext = createContext<ShownSettings>({ tab: 'project', find: '' });

/** Returns whether a part of the page is shown, by its tab and by the texts that a search looks at. */
export function useIsShown(tab: SettingsTab, texts: string): boolean {
  return isShown(useContext(ShownSettingsContext), tab, texts);
}

export function isShown(shown: ShownSettings, tab: SettingsTab, texts: string): boolean {
  const words = shown.find.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return tab === shown.tab;
  const searched = texts.toLowerCase();
  return words.every((word) => searched.includes(word));
}

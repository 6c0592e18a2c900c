import { createContext, useContext } from 'react';
import type { SettingsTab } from './settings-search.js';

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

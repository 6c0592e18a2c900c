import { useCallback, useRef, useState } from 'react';
import type { QueryMode } from '../../data/query-runs/run-query.js';
import { readText, writeText } from '../../ui/controls/use-persisted-state.js';

/** A tab of the query page. If the tab's SQL answers a question, `question` is that question. */
export interface QueryTab {
  readonly id: string;
  readonly text: string;
  readonly mode: QueryMode;
  readonly question?: string;
  /** The saved query that was opened in the tab. */
  readonly saved?: { readonly id: string; readonly name: string };
}

export interface QueryTabs {
  readonly tabs: readonly QueryTab[];
  readonly activeId: string;
}

const TABS_MAX = 20;

export function startTabs(): QueryTabs {
  return { tabs: [{ id: '1', text: '', mode: 'auto' }], activeId: '1' };
}

/**
 * Opens a tab and selects it. If the tab that was selected is empty, the new one replaces it. A saved query
 * is never open in two tabs.
 */
export function openTab(state: QueryTabs, tab: Omit<QueryTab, 'id'>): QueryTabs {
  const opened =
    tab.saved === undefined
      ? undefined
      : state.tabs.find((candidate) => candidate.saved?.id === tab.saved?.id);
  if (opened !== undefined) return { ...state, activeId: opened.id };
  const active = state.tabs.find((candidate) => candidate.id === state.activeId);
  if (tab.text !== '' && active !== undefined && active.text.trim() === '' && active.saved === undefined)
    return putTab(state, { ...tab, id: active.id });
  const id = String(Math.max(0, ...state.tabs.map((candidate) => Number(candidate.id))) + 1);
  return { tabs: [...state.tabs.slice(-(TABS_MAX - 1)), { ...tab, id }], activeId: id };
}

export function putTab(state: QueryTabs, tab: QueryTab): QueryTabs {
  return { ...state, tabs: state.tabs.map((candidate) => (candidate.id === tab.id ? tab : candidate)) };
}

/** Closes a tab. At least one tab remains. */
export function closeTab(state: QueryTabs, id: string): QueryTabs {
  const index = state.tabs.findIndex((tab) => tab.id === id);
  const tabs = state.tabs.filter((tab) => tab.id !== id);
  if (tabs.length === 0) return startTabs();
  return {
    tabs,
    activeId: state.activeId === id ? (tabs[Math.min(index, tabs.length - 1)]?.id ?? '') : state.activeId,
  };
}

/** Returns the name of a tab: the name of its saved query, or the beginning of its text. */
export function nameTab(tab: QueryTab): string {
  if (tab.saved) return tab.saved.name;
  const line = tab.text.trim().split('\n')[0]?.trim() ?? '';
  return line === '' ? 'New query' : line.length > 28 ? `${line.slice(0, 27)}…` : line;
}

/** Parses the tabs that the browser has stored. Invalid parts are ignored. */
export function readTabs(text: string | null): QueryTabs {
  try {
    const found = JSON.parse(text ?? '') as QueryTabs;
    const tabs = found.tabs.filter(
      (tab) =>
        typeof tab.id === 'string' &&
        typeof tab.text === 'string' &&
        ['auto', 'sql', 'question'].includes(tab.mode),
    );
    return tabs.length === 0
      ? startTabs()
      : {
          tabs,
          activeId: tabs.some((tab) => tab.id === found.activeId) ? found.activeId : (tabs[0]?.id ?? ''),
        };
  } catch {
    return startTabs();
  }
}

/**
 * Returns the query tabs of one database, and a function that changes them. The browser stores each change.
 */
export function useQueryTabs(databaseId: string): [QueryTabs, (next: (now: QueryTabs) => QueryTabs) => void] {
  const key = `rowhouse-queries-${databaseId}`;
  const [tabs, setTabs] = useState(() => readTabs(readText(key)));
  // Two changes may be made before the next render. The second one starts from this ref, which has the result
  // of the first. The browser stores the same value.
  const latest = useRef(tabs);
  const change = useCallback(
    (next: (now: QueryTabs) => QueryTabs) => {
      latest.current = next(latest.current);
      setTabs(latest.current);
      writeText(key, JSON.stringify(latest.current));
    },
    [key],
  );
  return [tabs, change];
}

import { useCallback, useState } from 'react';
import { readTabs, type QueryTabs } from './query-tabs.js';

/** The sheets of one database, kept in this browser with every change. */
export function useQueryTabs(databaseId: string): [QueryTabs, (next: (now: QueryTabs) => QueryTabs) => void] {
  const key = `rowhouse-queries-${databaseId}`;
  const [tabs, setTabs] = useState(() => readTabs(localStorage.getItem(key)));
  const change = useCallback((next: (now: QueryTabs) => QueryTabs) => {
    setTabs((now) => {
      const to = next(now);
      try {
        localStorage.setItem(key, JSON.stringify(to));
      } catch {
        // Storage is full or switched off: the sheets live as long as the page.
      }
      return to;
    });
  }, [key]);
  return [tabs, change];
}

import { useCallback, useRef, useState } from 'react';
import { readText, writeText } from '../../ui/use-kept.js';
import { readTabs, type QueryTabs } from './query-tabs.js';

/** The sheets of one database, kept in this browser with every change. */
export function useQueryTabs(databaseId: string): [QueryTabs, (next: (now: QueryTabs) => QueryTabs) => void] {
  const key = `rowhouse-queries-${databaseId}`;
  const [tabs, setTabs] = useState(() => readTabs(readText(key)));
  // Of two changes at once the second goes on from the first, and what is kept is what was set.
  const latest = useRef(tabs);
  const change = useCallback((next: (now: QueryTabs) => QueryTabs) => {
    latest.current = next(latest.current);
    setTabs(latest.current);
    writeText(key, JSON.stringify(latest.current));
  }, [key]);
  return [tabs, change];
}

import { useCallback, useRef, useState } from 'react';
import { readText, writeText } from '../../ui/use-persisted-state.js';
import { readTabs, type QueryTabs } from './query-tabs.js';

/** Returns the tabs of one database, which the browser stores with every change. */
export function useQueryTabs(databaseId: string): [QueryTabs, (next: (now: QueryTabs) => QueryTabs) => void] {
  const key = `rowhouse-queries-${databaseId}`;
  const [tabs, setTabs] = useState(() => readTabs(readText(key)));
  // The second of two simultaneous changes starts from the result of the first, and what is stored is what
  // was set.
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

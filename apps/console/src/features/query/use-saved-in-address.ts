import type { DatabaseAnswer, SavedQueryAnswer } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { savedQueriesQuery } from '../../data/query-runs/queries.js';
import type { QueryTab } from './query-tabs.js';

interface SavedInAddress {
  readonly database: DatabaseAnswer;
  /** The sheet in front. */
  readonly tab: QueryTab;
  /** As the address has it. */
  readonly savedId: string | undefined;
  readonly onSaved: (savedId: string | undefined) => void;
  readonly onOpen: (query: SavedQueryAnswer) => void;
}

/** Opens the saved query that an address names; from then on the address names that of the sheet in front. */
export function useSavedInAddress({ database, tab, savedId, onSaved, onOpen }: SavedInAddress): void {
  const inFront = tab.saved?.id;
  const wanted = useRef(savedId === inFront ? undefined : savedId);
  const saved = useQuery({ ...savedQueriesQuery(database.id), enabled: savedId !== undefined && savedId !== inFront });
  useEffect(() => {
    if (wanted.current === undefined || saved.data === undefined) return;
    const found = saved.data.find((query) => query.id === wanted.current);
    wanted.current = undefined;
    if (found === undefined) onSaved(inFront);
    else onOpen(found);
  }, [saved.data]);
  useEffect(() => {
    if (wanted.current === undefined && savedId !== inFront) onSaved(inFront);
  }, [savedId, inFront]);
}

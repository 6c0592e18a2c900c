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

/** Opens the saved query that an address names; else the address names that of the sheet in front. */
export function useSavedInAddress({ database, tab, savedId, onSaved, onOpen }: SavedInAddress): void {
  const inFront = tab.saved?.id;
  /** What the address names by our doing: all else is asked for. */
  const told = useRef(inFront);
  const saved = useQuery({ ...savedQueriesQuery(database.id), enabled: savedId !== undefined && savedId !== inFront });
  useEffect(() => {
    if (savedId !== undefined && savedId !== inFront && savedId !== told.current) {
      if (saved.isPending) return;
      const found = saved.data?.find((query) => query.id === savedId);
      told.current = savedId;
      if (found !== undefined) return onOpen(found);
    }
    told.current = inFront;
    if (savedId !== inFront) onSaved(inFront);
  }, [savedId, inFront, saved.isPending, saved.data]);
}

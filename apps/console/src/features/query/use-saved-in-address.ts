import type { DatabaseResponse, SavedQueryResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { savedQueriesQuery } from '../../data/query-runs/queries.js';
import type { QueryTab } from './query-tabs.js';

interface SavedInAddress {
  readonly database: DatabaseResponse;
  /** The selected tab. */
  readonly tab: QueryTab;
  /** The id of a saved query in the URL. */
  readonly savedId: string | undefined;
  readonly onSaved: (savedId: string | undefined) => void;
  readonly onOpen: (query: SavedQueryResponse) => void;
}

/**
 * Keeps the URL and the selected tab in step. A saved query that the user put in the URL is opened. Otherwise
 * the URL gets the saved query of the selected tab.
 */
export function useSavedInAddress({ database, tab, savedId, onSaved, onOpen }: SavedInAddress): void {
  const selectedId = tab.saved?.id;
  /** The id that this hook wrote to the URL last. Any other id in the URL comes from the user. */
  const lastWrittenId = useRef(selectedId);
  const saved = useQuery({
    ...savedQueriesQuery(database.id),
    enabled: savedId !== undefined && savedId !== selectedId,
  });
  useEffect(() => {
    const step = chooseAddressStep({
      savedId,
      selectedId,
      lastWrittenId: lastWrittenId.current,
      known: saved.isPending ? null : (saved.data ?? []),
    });
    if (step.kind === 'wait') return;
    lastWrittenId.current = step.id;
    if (step.kind === 'open') onOpen(step.query);
    else if (step.id !== savedId) onSaved(step.id);
  }, [savedId, selectedId, saved.isPending, saved.data]);
}

interface AddressState {
  /** The id of a saved query in the URL. */
  readonly savedId: string | undefined;
  /** The id of the selected tab's saved query. */
  readonly selectedId: string | undefined;
  /** The id that was written to the URL last. */
  readonly lastWrittenId: string | undefined;
  /** The project's saved queries. Null while they are loading. */
  readonly known: readonly SavedQueryResponse[] | null;
}

/** The next step: wait, open the saved query in the URL, or write the selected tab's id to the URL. */
type AddressStep =
  | { readonly kind: 'wait' }
  | { readonly kind: 'open'; readonly query: SavedQueryResponse; readonly id: string }
  | { readonly kind: 'write'; readonly id: string | undefined };

/**
 * Decides what to do with the id in the URL. An id that comes from the user is opened if the query exists.
 * Otherwise the selected tab's id is written to the URL.
 */
export function chooseAddressStep({ savedId, selectedId, lastWrittenId, known }: AddressState): AddressStep {
  if (savedId === undefined || savedId === selectedId || savedId === lastWrittenId)
    return { kind: 'write', id: selectedId };
  if (known === null) return { kind: 'wait' };
  const query = known.find(({ id }) => id === savedId);
  return query === undefined ? { kind: 'write', id: selectedId } : { kind: 'open', query, id: savedId };
}

import type { DatabaseResponse, SavedQueryResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { savedQueriesQuery } from '../../data/query-runs/queries.js';
import type { QueryTab } from './query-tabs.js';

interface SavedInAddress {
  readonly database: DatabaseResponse;
  /** The selected tab. */
  readonly tab: QueryTab;
  /** The id in the URL. */
  readonly savedId: string | undefined;
  readonly onSaved: (savedId: string | undefined) => void;
  readonly onOpen: (query: SavedQueryResponse) => void;
}

/** Opens the saved query that the URL names. Otherwise it updates the URL to that of the selected tab. */
export function useSavedInAddress({ database, tab, savedId, onSaved, onOpen }: SavedInAddress): void {
  const inFront = tab.saved?.id;
  /** The id that this hook last wrote to the URL. Any other id was set by the user. */
  const reported = useRef(inFront);
  const saved = useQuery({
    ...savedQueriesQuery(database.id),
    enabled: savedId !== undefined && savedId !== inFront,
  });
  useEffect(() => {
    const step = settleAddress({
      savedId,
      inFront,
      told: reported.current,
      known: saved.isPending ? null : (saved.data ?? []),
    });
    if (step.kind === 'wait') return;
    reported.current = step.told;
    if (step.kind === 'open') onOpen(step.query);
    else if (step.told !== savedId) onSaved(step.told);
  }, [savedId, inFront, saved.isPending, saved.data]);
}

interface AddressState {
  /** The id in the URL, the id of the selected tab, and the id that was last written to the URL. */
  readonly savedId: string | undefined;
  readonly inFront: string | undefined;
  readonly told: string | undefined;
  /** Null while the saved queries are loading. */
  readonly known: readonly SavedQueryResponse[] | null;
}

/** `told` is the id to write to the URL. */
type AddressStep =
  | { readonly kind: 'wait' }
  | { readonly kind: 'open'; readonly query: SavedQueryResponse; readonly told: string }
  | { readonly kind: 'tell'; readonly told: string | undefined };

/**
 * Decides what to do with the id in the URL. An id set by the user is opened if it exists. Otherwise the URL
 * follows the selected tab.
 */
export function settleAddress({ savedId, inFront, told: message, known }: AddressState): AddressStep {
  if (savedId === undefined || savedId === inFront || savedId === message)
    return { kind: 'tell', told: inFront };
  if (known === null) return { kind: 'wait' };
  const query = known.find(({ id }) => id === savedId);
  return query === undefined ? { kind: 'tell', told: inFront } : { kind: 'open', query, told: savedId };
}

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
    const step = settleAddress({ savedId, inFront, told: told.current, known: saved.isPending ? null : (saved.data ?? []) });
    if (step.kind === 'wait') return;
    told.current = step.told;
    if (step.kind === 'open') onOpen(step.query);
    else if (step.told !== savedId) onSaved(step.told);
  }, [savedId, inFront, saved.isPending, saved.data]);
}

interface AddressState {
  /** What the address names, what the sheet in front is of, and what the address was last made to name. */
  readonly savedId: string | undefined;
  readonly inFront: string | undefined;
  readonly told: string | undefined;
  /** Null: not read yet. */
  readonly known: readonly SavedQueryAnswer[] | null;
}

/** `told`: what the address is to name from now on. */
type AddressStep =
  | { readonly kind: 'wait' }
  | { readonly kind: 'open'; readonly query: SavedQueryAnswer; readonly told: string }
  | { readonly kind: 'tell'; readonly told: string | undefined };

/** An address that somebody else has set is followed, unless it names none that there is; one of our own follows the sheet. */
export function settleAddress({ savedId, inFront, told, known }: AddressState): AddressStep {
  if (savedId === undefined || savedId === inFront || savedId === told) return { kind: 'tell', told: inFront };
  if (known === null) return { kind: 'wait' };
  const query = known.find(({ id }) => id === savedId);
  return query === undefined ? { kind: 'tell', told: inFront } : { kind: 'open', query, told: savedId };
}

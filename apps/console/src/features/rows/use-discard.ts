import { useEffect, useRef } from 'react';
import { dismissToast, showToast } from '../../ui/toasts.js';
import { NOTHING_STAGED } from './staged-changes.js';
import type { StagedHistory } from './use-staged.js';

/** Drops all that waits to be saved; for a while a notice brings it back, as long as the table is open. */
export function useDiscard({ staged, change }: Pick<StagedHistory, 'staged' | 'change'>): () => void {
  const told = useRef<number | null>(null);
  useEffect(() => () => {
    if (told.current !== null) dismissToast(told.current);
  }, []);
  return () => {
    const dropped = staged;
    const count = dropped.changes.length;
    change(() => NOTHING_STAGED);
    told.current = showToast({
      text: `${count} ${count === 1 ? 'change was' : 'changes were'} dropped.`,
      undo: () => {
        change(() => dropped);
        return Promise.resolve();
      },
    });
  };
}

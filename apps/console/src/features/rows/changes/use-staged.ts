import { useMemo, useRef, useState } from 'react';
import { CHANGES_MAX, NOTHING_STAGED, restoreDiscarded, type Staged } from './staged-changes.js';
import { formatCountOf } from '../../../ui/formatting/format-number.js';
import { useUndoNotice } from '../../../ui/notices/use-undo-notice.js';

const STEPS_MAX = 200;

export interface StagedHistory {
  readonly staged: Staged;
  readonly canUndo: boolean;
  /**
   * Applies a change that can be undone. If more changes would then be staged than a batch may contain, it
   * changes nothing and returns false.
   */
  readonly change: (next: (staged: Staged) => Staged) => boolean;
  /** Stores the errors of a rejected save. This adds no undo step. */
  readonly setFaults: (faults: Staged['faults']) => void;
  readonly undo: () => void;
  /**
   * Removes the changes that were saved. `next` returns the remaining changes. Earlier steps can no longer be
   * undone.
   */
  readonly finishSave: (next: (staged: Staged) => Staged) => void;
}

/** Returns the staged changes with their undo history. */
export function useStaged(): StagedHistory {
  const [steps, setSteps] = useState<readonly Staged[]>([NOTHING_STAGED]);
  // Several changes may be made before the next render. Each of them reads the latest steps from this ref.
  const latest = useRef(steps);
  const actions = useMemo(() => {
    const current = (): Staged => latest.current.at(-1) ?? NOTHING_STAGED;
    const set = (next: readonly Staged[]): void => {
      latest.current = next;
      setSteps(next);
    };
    return {
      change(next: (staged: Staged) => Staged): boolean {
        const changed = next(current());
        if (changed.changes.length > CHANGES_MAX) return false;
        set([...latest.current.slice(-STEPS_MAX), changed]);
        return true;
      },
      setFaults: (faults: Staged['faults']) =>
        set([...latest.current.slice(0, -1), { ...current(), faults }]),
      undo: () => set(latest.current.length > 1 ? latest.current.slice(0, -1) : latest.current),
      finishSave(next: (staged: Staged) => Staged): void {
        const remaining = next(current());
        set(remaining.changes.length === 0 ? [NOTHING_STAGED] : [NOTHING_STAGED, remaining]);
      },
    };
  }, []);
  return { staged: steps.at(-1) ?? NOTHING_STAGED, canUndo: steps.length > 1, ...actions };
}

/**
 * Returns a function that discards all staged changes. A notice can restore them for a while, as long as the
 * table is open. Newer changes stay.
 */
export function useDiscard({ staged, change }: Pick<StagedHistory, 'staged' | 'change'>): () => void {
  const showUndoNotice = useUndoNotice();
  return () => {
    const discarded = staged;
    change(() => NOTHING_STAGED);
    showUndoNotice(
      `${formatCountOf(discarded.changes.length, 'change')} discarded.`,
      () => void change((now) => restoreDiscarded(now, discarded)),
    );
  };
}

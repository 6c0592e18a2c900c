import { useCallback, useState } from 'react';
import { NOTHING_STAGED, type Staged } from './staged-changes.js';
import { reportCount } from '../../../ui/formatting/format-number.js';
import { useUndoNotice } from '../../../ui/notices/use-undo-notice.js';

const STEPS_MAX = 200;

export interface StagedHistory {
  readonly staged: Staged;
  readonly canUndo: boolean;
  /** Makes a change that can be undone. */
  readonly change: (next: (staged: Staged) => Staged) => void;
  /** Records the results of the changes, without an undo step of its own. */
  readonly tell: (next: (staged: Staged) => Staged) => void;
  readonly undo: () => void;
  /**
   * Records that some changes are saved. `next` returns the remaining ones, and earlier steps can no longer
   * be undone.
   */
  readonly settle: (next: (staged: Staged) => Staged) => void;
}

/** Returns the staged changes with their undo history. */
export function useStaged(): StagedHistory {
  const [steps, setSteps] = useState<readonly Staged[]>([NOTHING_STAGED]);
  const staged = steps.at(-1) ?? NOTHING_STAGED;
  return {
    staged,
    canUndo: steps.length > 1,
    change: useCallback(
      (next) => setSteps((old) => [...old.slice(-STEPS_MAX), next(old.at(-1) ?? NOTHING_STAGED)]),
      [],
    ),
    tell: useCallback(
      (next) => setSteps((old) => [...old.slice(0, -1), next(old.at(-1) ?? NOTHING_STAGED)]),
      [],
    ),
    undo: useCallback(() => setSteps((old) => (old.length > 1 ? old.slice(0, -1) : old)), []),
    settle: useCallback(
      (next) =>
        setSteps((old) => {
          const left = next(old.at(-1) ?? NOTHING_STAGED);
          return left.changes.length === 0 ? [NOTHING_STAGED] : [NOTHING_STAGED, left];
        }),
      [],
    ),
  };
}

/** Discards all staged changes. A notice can restore them for a while, as long as the table is open. */
export function useDiscard({ staged, change }: Pick<StagedHistory, 'staged' | 'change'>): () => void {
  const tell = useUndoNotice();
  return () => {
    const dropped = staged;
    const count = dropped.changes.length;
    change(() => NOTHING_STAGED);
    tell(`${reportCount(count, 'change')} discarded.`, () => change(() => dropped));
  };
}

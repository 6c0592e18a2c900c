import { reportCount } from '../../ui/format-number.js';
import { useUndoNotice } from '../../ui/use-undo-notice.js';
import { NOTHING_STAGED } from './staged-changes.js';
import type { StagedHistory } from './use-staged.js';

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

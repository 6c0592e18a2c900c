import { useEffect, useRef } from 'react';
import { dismissToast, showToast } from './toasts.js';

/**
 * Returns a function that shows a notice with an undo action. The notice closes when the component is
 * unmounted, because the component then can no longer undo the action.
 */
export function useUndoNotice(): (text: string, undo: () => void) => void {
  const reported = useRef<number | null>(null);
  useEffect(
    () => () => {
      if (reported.current !== null) dismissToast(reported.current);
    },
    [],
  );
  return (text, undo) => {
    reported.current = showToast({
      text,
      undo: () => {
        undo();
        return Promise.resolve();
      },
    });
  };
}

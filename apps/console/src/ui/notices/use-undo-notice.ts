import { useEffect, useRef } from 'react';
import { dismissToast, showToast } from './toasts.js';

/**
 * Shows an undo notice for an action of a component. It closes with the component, which could not undo it
 * any more.
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

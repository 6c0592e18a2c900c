import { useEffect, useRef } from 'react';
import { dismissToast, showToast } from './toasts.js';

/** Tells of something that what asks can take back; the notice goes with it, since nothing could be taken back then. */
export function useUndoNotice(): (text: string, undo: () => void) => void {
  const told = useRef<number | null>(null);
  useEffect(() => () => {
    if (told.current !== null) dismissToast(told.current);
  }, []);
  return (text, undo) => {
    told.current = showToast({
      text,
      undo: () => {
        undo();
        return Promise.resolve();
      },
    });
  };
}

import { useDeferredValue, type ReactNode } from 'react';

/**
 * Shows `instead` at once, and the children when the browser has nothing more urgent to do. They render in
 * slices of a few milliseconds, so that input is handled in between.
 */
export function Later({ instead = null, children }: { instead?: ReactNode; children: ReactNode }) {
  return useDeferredValue(true, false) ? children : instead;
}

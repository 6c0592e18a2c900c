import { useDeferredValue, type ReactNode } from 'react';

/**
 * Shows `instead` at once and its children as soon as the browser has nothing more urgent to do: they are made in slices of a
 * few milliseconds, between which taps and keys are heard. Without it all that an answer brings onto the page is made in one go.
 */
export function Later({ instead = null, children }: { instead?: ReactNode; children: ReactNode }) {
  return useDeferredValue(true, false) ? children : instead;
}

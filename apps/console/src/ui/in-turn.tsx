import { Children, createContext, startTransition, useCallback, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { createHolds, type Holds } from './holds.js';

/** Makes those around it wait. */
const HoldContext = createContext<Holds['hold'] | null>(null);

/**
 * Shows its children from the first on, each in a task of its own: what is read first stands there first, and a phone hears taps
 * in between instead of waiting until all is made and laid out. One inside another is whole before the outer goes on: nothing
 * that stands there already is pushed down.
 */
export function InTurn({ children }: { readonly children: ReactNode }) {
  // Made anew, all that stands there already would be made anew with each part that joins it.
  const parts = useMemo(() => Children.toArray(children), [children]);
  const [shown, setShown] = useState(1);
  const [{ hold, goOn }] = useState(createHolds);
  const outer = useContext(HoldContext);
  const isWhole = shown >= parts.length;
  const held = useRef<(() => void) | undefined>(undefined);
  const letGo = useCallback(() => {
    held.current?.();
    held.current = undefined;
  }, []);
  useLayoutEffect(() => {
    held.current ??= outer?.();
  }, [outer, isWhole]);
  useLayoutEffect(() => letGo, [letGo]);
  useEffect(() => goOn(isWhole ? letGo : () => startTransition(() => setShown(shown + 1))), [goOn, letGo, isWhole, shown]);
  return <HoldContext value={hold}>{parts.slice(0, shown)}</HoldContext>;
}

/** What stands in the place of a part that is not there yet: as long as it does, nothing after that part is shown, to be pushed down by it. */
export function Awaited({ children }: { readonly children: ReactNode }) {
  const outer = useContext(HoldContext);
  useLayoutEffect(() => outer?.(), [outer]);
  return children;
}

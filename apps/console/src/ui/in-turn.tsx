import { Children, createContext, startTransition, useCallback, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { createHolds, type Holds } from './holds.js';

/** Delays the enclosing components. */
const HoldContext = createContext<Holds['hold'] | null>(null);

/**
 * Renders its children one by one, each in a task of its own. What is read first appears first, and a phone
 * stays responsive. A nested one is complete before the outer continues, so that visible content is not
 * pushed down.
 */
export function InTurn({ children }: { readonly children: ReactNode }) {
  // Without memoization, all visible parts would rerender with each new one.
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

/**
 * Renders the placeholder of a missing part. While it is mounted, later parts are not shown, so they are not
 * pushed down.
 */
export function Awaited({ children }: { readonly children: ReactNode }) {
  const outer = useContext(HoldContext);
  useLayoutEffect(() => outer?.(), [outer]);
  return children;
}

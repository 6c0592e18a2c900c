import { Children, createContext, startTransition, useCallback, useContext, useEffect, useLayoutEffect, useMemo, useState, type ReactNode } from 'react';

/** Makes those around it wait; gives the way to end that. */
type Hold = () => () => void;

const HoldContext = createContext<Hold | null>(null);

/**
 * Shows its children from the first on, each in a task of its own: what is read first stands there first, and a phone hears taps
 * in between instead of waiting until all is made and laid out. One inside another is whole before the outer goes on: nothing
 * that stands there already is pushed down.
 */
export function InTurn({ children }: { readonly children: ReactNode }) {
  // Made anew, all that stands there already would be made anew with each part that joins it.
  const parts = useMemo(() => Children.toArray(children), [children]);
  const [shown, setShown] = useState(1);
  const [holds, setHolds] = useState(0);
  const outer = useContext(HoldContext);
  const isWhole = shown >= parts.length && holds === 0;
  const hold = useCallback<Hold>(() => {
    setHolds((count) => count + 1);
    return () => setHolds((count) => count - 1);
  }, []);
  useLayoutEffect(() => (isWhole ? undefined : outer?.()), [isWhole, outer]);
  useEffect(() => {
    if (holds > 0 || shown >= parts.length) return undefined;
    const next = setTimeout(() => startTransition(() => setShown(shown + 1)));
    return () => clearTimeout(next);
  }, [shown, holds, parts.length]);
  return <HoldContext value={hold}>{parts.slice(0, shown)}</HoldContext>;
}

/** What stands in the place of a part that is not there yet: as long as it does, nothing after that part is shown, to be pushed down by it. */
export function Awaited({ children }: { readonly children: ReactNode }) {
  const outer = useContext(HoldContext);
  useLayoutEffect(() => outer?.(), [outer]);
  return children;
}

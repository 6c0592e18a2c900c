import {
  Children,
  createContext,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { createRenderHold, type RenderHold } from './render-hold.js';

/** Delays the enclosing components. */
const HoldContext = createContext<RenderHold['hold'] | null>(null);

/**
 * Renders its children one by one, each in a task of its own. What is read first appears first, and a phone
 * stays responsive. A nested one is complete before the outer continues, so that visible content is not
 * pushed down.
 */
export function RenderInOrder({ children }: { readonly children: ReactNode }) {
  // Without memoization, all visible parts would rerender with each new one.
  const parts = useMemo(() => Children.toArray(children), [children]);
  const [visible, setShown] = useState(1);
  const [{ hold, resume }] = useState(createRenderHold);
  const outer = useContext(HoldContext);
  const isComplete = visible >= parts.length;
  const held = useRef<(() => void) | undefined>(undefined);
  const release = useCallback(() => {
    held.current?.();
    held.current = undefined;
  }, []);
  useLayoutEffect(() => {
    held.current ??= outer?.();
  }, [outer, isComplete]);
  useLayoutEffect(() => release, [release]);
  useEffect(
    () => resume(isComplete ? release : () => startTransition(() => setShown(visible + 1))),
    [resume, release, isComplete, visible],
  );
  return <HoldContext value={hold}>{parts.slice(0, visible)}</HoldContext>;
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

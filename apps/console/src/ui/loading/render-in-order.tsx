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

/** A function with which a child holds back the `RenderInOrder` components around it. */
const HoldContext = createContext<RenderHold['hold'] | null>(null);

/**
 * Renders its children one by one, each in its own task. The top of a page appears first, and a phone stays
 * responsive. A nested `RenderInOrder` is complete before the outer one continues, so that visible content
 * does not move down.
 */
export function RenderInOrder({ children }: { readonly children: ReactNode }) {
  // The list is memoized. Otherwise all visible children would render again with each new one.
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
 * Renders a placeholder while a part of the page is loading. While it is mounted, later parts are not shown,
 * so that they do not move down when the part appears.
 */
export function Awaited({ children }: { readonly children: ReactNode }) {
  const outer = useContext(HoldContext);
  useLayoutEffect(() => outer?.(), [outer]);
  return children;
}

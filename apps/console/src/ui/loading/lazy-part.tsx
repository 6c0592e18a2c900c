import {
  type ComponentType,
  type FunctionComponent,
  lazy,
  type ReactNode,
  Suspense,
  useDeferredValue,
  useState,
} from 'react';
import { fetchEarly } from './fetch-early.js';

/**
 * Returns a component that appears after a click. Its code is loaded after the first input. Until then,
 * `instead` is shown. Once the code is loaded, the component is shown at once, so that no typed character is
 * lost.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: ReactNode = null,
  /** Whether to load the code at once, for a part that the first key may open. */
  isUrgent = false,
): FunctionComponent<Props> {
  let Loaded: ComponentType<Props> | null = null;
  const loadPart = async (): Promise<ComponentType<Props>> => (Loaded = await load());
  const LoadingPart: ComponentType<Props> = lazy(async () => ({ default: await loadPart() }));
  if (isUrgent && typeof window !== 'undefined') loadPart().catch(() => undefined);
  else fetchEarly(loadPart);
  return function LazyPart(props: Props) {
    // An instance keeps its kind of component. Otherwise it would lose its state when the code arrives.
    const [Part] = useState(() => Loaded ?? LoadingPart);
    return (
      <Suspense fallback={instead}>
        <Part {...props} />
      </Suspense>
    );
  };
}

/**
 * Shows `instead` at first, and the children when the browser has nothing more urgent to do. The children
 * render in slices of a few milliseconds, so that input is handled in between.
 */
export function Later({ instead = null, children }: { instead?: ReactNode; children: ReactNode }) {
  return useDeferredValue(true, false) ? children : instead;
}

import {
  type ComponentType,
  type FunctionComponent,
  lazy,
  type ReactNode,
  Suspense,
  useDeferredValue,
} from 'react';
import { fetchEarly } from './fetch-early.js';

/**
 * Returns a component that appears after a click. Its code is loaded after the first input. Until then,
 * `instead` is shown.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: ReactNode = null,
): FunctionComponent<Props> {
  const Part: ComponentType<Props> = lazy(async () => ({ default: await load() }));
  fetchEarly(load);
  return function LazyPart(props: Props) {
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

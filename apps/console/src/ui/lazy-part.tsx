import { lazy, Suspense, type ComponentType, type FunctionComponent, type ReactNode } from 'react';
import { fetchEarly } from './fetch-early.js';

/** A part of a room that is not there before a click: its code is fetched when somebody stirs in the room. `instead` stands in its place where it is shown sooner. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>, instead: ReactNode = null): FunctionComponent<Props> {
  const Part: ComponentType<Props> = lazy(async () => ({ default: await load() }));
  fetchEarly(load);
  return function LazyPart(props: Props) {
    return <Suspense fallback={instead}><Part {...props} /></Suspense>;
  };
}

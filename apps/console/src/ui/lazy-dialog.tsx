import { lazy, Suspense, useEffect, useState, type ComponentType, type FunctionComponent } from 'react';
import { fetchEarly } from './fetch-early.js';

/** A dialog whose code, its form and all, is fetched when somebody stirs where it can be opened: a screen is shown before anybody asks for one. */
export function lazyDialog<Props extends { readonly opened: boolean }>(load: () => Promise<ComponentType<Props>>): FunctionComponent<Props> {
  const Part: ComponentType<Props> = lazy(async () => ({ default: await load() }));
  return function LazyDialog(props: Props) {
    const [wasOpened, setWasOpened] = useState(props.opened);
    if (props.opened && !wasOpened) setWasOpened(true);
    useEffect(() => fetchEarly(load), []);
    return wasOpened ? <Suspense fallback={null}><Part {...props} /></Suspense> : null;
  };
}

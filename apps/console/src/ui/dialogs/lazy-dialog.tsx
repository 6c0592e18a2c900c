import { lazy, Suspense, useEffect, useState, type ComponentType, type FunctionComponent } from 'react';
import { fetchEarly } from '../loading/fetch-early.js';
import { useReturnFocus } from './use-return-focus.js';

/** A modal dialog whose code is loaded when one is first opened. */
export const Dialog = lazyDialog(() => import('./dialog-frame.js').then((module) => module.DialogFrame));

/** Asks for confirmation of an irreversible action. */
export const ConfirmDialog = lazyDialog(() =>
  import('./confirm-frame.js').then((module) => module.ConfirmFrame),
);

/**
 * Returns a dialog component. Its code is loaded after the first input on a screen that can open the dialog.
 */
export function lazyDialog<Props extends { readonly opened: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> {
  const Part: ComponentType<Props> = lazy(async () => ({ default: await load() }));
  return function LazyDialog(props: Props) {
    const [wasOpened, setWasOpened] = useState(props.opened);
    if (props.opened && !wasOpened) setWasOpened(true);
    useReturnFocus(props.opened);
    useEffect(() => fetchEarly(load), []);
    return wasOpened ? (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    ) : null;
  };
}

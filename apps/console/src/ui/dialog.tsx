import { lazy, Suspense, useState } from 'react';
import type { DialogProps } from './dialog-frame.js';

const DialogFrame = lazy(() => import('./dialog-frame.js').then((module) => ({ default: module.DialogFrame })));

/** A modal dialog; its code is fetched when one is first opened, so that screens do not wait for it. */
export function Dialog(props: DialogProps) {
  const [wasOpened, setWasOpened] = useState(props.opened);
  if (props.opened && !wasOpened) setWasOpened(true);
  if (!wasOpened) return null;
  return (
    <Suspense fallback={null}>
      <DialogFrame {...props} />
    </Suspense>
  );
}

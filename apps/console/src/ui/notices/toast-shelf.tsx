import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { CopyButton } from '../code/copy-button.js';
import classes from './toast-shelf.module.css';
import { showFailure } from './show-failure.js';
import { dismissToast, useToasts, type Toast } from './toasts.js';

const SHOWN_MS = 6_000;
/**
 * How long a toast with an undo action or an error is shown. It is long enough to read the toast and reach it
 * by keyboard.
 */
const SHOWN_LONG_MS = 15_000;

/** Shows toasts. A toast stays while the pointer or the focus is on it. */
export function ToastShelf() {
  const toasts = useToasts();
  return (
    <div className={classes.shelf} role="region" aria-label="Notices">
      <div role="status" aria-live="polite" className={classes.stack}>
        {toasts.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </div>
    </div>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  const [isUndoing, setUndoing] = useState(false);
  useEffect(() => {
    if (isHeld || isUndoing) return;
    const timer = setTimeout(
      () => dismissToast(toast.id),
      toast.undo || toast.tone === 'brick' ? SHOWN_LONG_MS : SHOWN_MS,
    );
    return () => clearTimeout(timer);
  }, [isHeld, isUndoing, toast]);
  const undo = (): void => {
    setUndoing(true);
    toast
      .undo?.()
      .catch((error: unknown) => showFailure('Couldn’t undo', error))
      .finally(() => dismissToast(toast.id));
  };
  return (
    <div
      className={classes.toast}
      data-tone={toast.tone}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{toast.text}</span>
      {toast.requestId ? <CopyButton text={toast.requestId} label="Copy request ID" /> : null}
      {toast.undo ? (
        <Button size="compact-sm" variant="default" loading={isUndoing} onClick={undo}>
          Undo
        </Button>
      ) : null}
      <ActionIcon size="sm" aria-label="Dismiss notice" onClick={() => dismissToast(toast.id)}>
        <IconX size={14} />
      </ActionIcon>
    </div>
  );
}

import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import classes from './toast-shelf.module.css';
import { dismissToast, showToast, useToasts, type Toast } from './toasts.js';

const SHOWN_MS = 6_000;
/** What can be taken back stays long enough to be read and reached by keyboard. */
const SHOWN_WITH_UNDO_MS = 15_000;

/** Where toasts stand. They wait while the pointer or the focus is on them. */
export function ToastShelf() {
  const toasts = useToasts();
  return (
    <div className={classes.shelf} role="region" aria-label="Notices">
      <div role="status" aria-live="polite" className={classes.stack}>
        {toasts.map((toast) => <ToastCard key={toast.id} toast={toast} />)}
      </div>
    </div>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  const [isUndoing, setUndoing] = useState(false);
  useEffect(() => {
    if (isHeld || isUndoing) return;
    const timer = setTimeout(() => dismissToast(toast.id), toast.undo ? SHOWN_WITH_UNDO_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isHeld, isUndoing, toast]);
  const undo = (): void => {
    setUndoing(true);
    toast.undo?.()
      .catch((error: unknown) => showToast({ text: `It could not be taken back: ${error instanceof Error ? error.message : 'unknown reason'}`, tone: 'brick' }))
      .finally(() => dismissToast(toast.id));
  };
  return (
    <div className={classes.toast} data-tone={toast.tone} onMouseEnter={() => setHeld(true)} onMouseLeave={() => setHeld(false)} onFocus={() => setHeld(true)} onBlur={() => setHeld(false)}>
      <span>{toast.text}</span>
      {toast.undo ? <Button size="compact-sm" variant="default" loading={isUndoing} onClick={undo}>Undo</Button> : null}
      <ActionIcon size="sm" aria-label="Dismiss notice" onClick={() => dismissToast(toast.id)}><IconX size={14} /></ActionIcon>
    </div>
  );
}

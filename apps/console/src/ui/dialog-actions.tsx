import type { ReactNode } from 'react';
import classes from './dialog-actions.module.css';

/**
 * The buttons that a dialog is left by: they stay in sight at its end, however long it is and however small the screen. Apart from
 * the dialog's frame, which a form that waits for it to be opened does not begin with.
 */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={classes.actions} data-dialog-actions>{children}</div>;
}

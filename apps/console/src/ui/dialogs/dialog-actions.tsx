import type { ReactNode } from 'react';
import classes from './dialog-actions.module.css';

/**
 * The buttons of a dialog. They stay visible at its end on any screen. Separate from the dialog's frame,
 * which is loaded later than a form.
 */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return (
    <div className={classes.actions} data-dialog-actions>
      {children}
    </div>
  );
}

import type { ReactNode } from 'react';
import classes from './dialog-actions.module.css';

/**
 * The buttons of a dialog. They stay visible at its end on any screen. They are not part of `DialogFrame`,
 * whose code is loaded later than that of forms.
 */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return (
    <div className={classes.actions} data-dialog-actions>
      {children}
    </div>
  );
}

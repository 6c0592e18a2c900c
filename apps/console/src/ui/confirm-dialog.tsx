import { lazyDialog } from './lazy-dialog.js';

/** Asks for confirmation of an irreversible action. */
export const ConfirmDialog = lazyDialog(() =>
  import('./confirm-frame.js').then((module) => module.ConfirmFrame),
);

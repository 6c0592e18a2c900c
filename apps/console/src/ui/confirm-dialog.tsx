import { lazyDialog } from './lazy-dialog.js';

/** Asks before something cannot be taken back. */
export const ConfirmDialog = lazyDialog(() => import('./confirm-frame.js').then((module) => module.ConfirmFrame));

import { lazyDialog } from './lazy-dialog.js';

/** A modal dialog; its code is fetched when one is first opened, so that screens do not wait for it. */
export const Dialog = lazyDialog(() => import('./dialog-frame.js').then((module) => module.DialogFrame));

import { lazyDialog } from './lazy-dialog.js';

/** A modal dialog whose code is loaded when one is first opened. */
export const Dialog = lazyDialog(() => import('./dialog-frame.js').then((module) => module.DialogFrame));

// @ts-check
import { INVENTED } from './invented/all.mjs';
import { UNSEEN } from './unseen/all.mjs';

/**
 * Sets that were written whole, schemas, rows and questions, before any question was asked. What fails of `isSealed` ones is read by nobody:
 * only totals of them are told (`README.md`).
 * @type {Readonly<Record<'invented' | 'unseen', { schemas: readonly import('./invented/rows.mjs').InventedSet[], isSealed: boolean }>>}
 */
export const WRITTEN = { invented: { schemas: INVENTED, isSealed: false }, unseen: { schemas: UNSEEN, isSealed: true } };

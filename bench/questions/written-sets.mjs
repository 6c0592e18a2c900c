// @ts-check
import { INVENTED } from './invented/all.mjs';
import { UNSEEN } from './unseen/all.mjs';

/**
 * Complete sets of schemas, rows and questions, which were written before any question was asked.
 * Failures of a set with `isSealed` must not be read, so only its totals are printed (`README.md`).
 * @type {Readonly<Record<'invented' | 'unseen', { schemas: readonly
 *   import('./invented/rows.mjs').InventedSet[], isSealed: boolean }>>}
 */
export const WRITTEN = {
  invented: { schemas: INVENTED, isSealed: false },
  unseen: { schemas: UNSEEN, isSealed: true },
};

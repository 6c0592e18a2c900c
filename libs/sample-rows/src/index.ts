/**
 * Sample rows: the order in which tables are filled and the values of their rows. They are deterministic for
 * a seed and a time. The library does not access databases. The caller passes the keys of existing rows, and
 * reports rejected rows to the library.
 */
export { isOptional, planFills, type Fill, type FillPlan } from './plan-fills.js';
export {
  createRowMaker,
  type GeneratedRows,
  type RowMaker,
  type RowMakerOptions,
} from './create-row-maker.js';
export type { KeyChoice } from './point-keys.js';
export type { ParentKeys, SampleRow, SampleValue } from './types.js';

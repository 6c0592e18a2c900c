/**
 * Sample rows: the order in which tables are filled, and the values of their rows. For a given seed and time,
 * the rows are always the same. The library does not access databases. The caller passes the keys of existing
 * rows, and reports which rows the server rejected.
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

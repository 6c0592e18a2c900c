/**
 * Owns sample rows: in which order tables are filled, and what stands in their rows. Deterministic by a seed and a moment.
 * Must not know databases: keys of rows that stand already come in, and whoever writes the rows tells what was refused.
 */
export { isOptional, planFills, type Fill, type FillPlan } from './plan-fills.js';
export { createRowMaker, type MadeRows, type RowMaker, type RowMakerOptions } from './create-row-maker.js';
export type { KeyChoice } from './point-keys.js';
export type { ParentKeys, SampleRow, SampleValue } from './types.js';

import type { Column } from '@rowhouse/schema-model';
import { compareTypes } from './compare-types.js';

/** The strictest kind of change wins: a value of `retype` may hold any mix. */
export type ColumnChange = {
  readonly class: 'widen' | 'tighten' | 'retype';
  /** What values may lose; empty when the server refuses rather than cuts. */
  readonly loss: string;
  /** Conditions (over the column's quoted name `{c}`) that hold for rows that do not fit, each with its words. */
  readonly misfits: readonly Misfit[];
};
export interface Misfit {
  readonly condition: string;
  readonly problem: string;
}

/** Null when both say the same. */
export function compareColumn(from: Column, to: Column): ColumnChange | null {
  // A definition leaves out what its table says for all columns, which may be another thing than before.
  if (from.definition === to.definition && from.charset === to.charset && from.collation === to.collation) return null;
  if (from.generated !== null || to.generated !== null) return { class: 'retype', loss: '', misfits: [] };
  const type = compareTypes(from, to);
  const misfits = [...type.misfits];
  let isTighter = type.class === 'tighten';
  if (from.nullable && !to.nullable) {
    isTighter = true;
    misfits.push({ condition: '{c} IS NULL', problem: 'holds NULL' });
  }
  if (from.default.kind !== 'none' && to.default.kind === 'none' && !to.nullable && !to.autoIncrement) isTighter = true;
  if (from.autoIncrement && !to.autoIncrement) isTighter = true;
  if (type.class === 'retype') return { ...type, misfits };
  return { class: isTighter ? 'tighten' : 'widen', loss: type.loss, misfits };
}

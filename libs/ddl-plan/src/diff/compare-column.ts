import type { Column } from '@rowhouse/schema-model';
import { compareTypes } from './compare-types.js';
import type { ColumnChange } from './column-change.js';

/** Compares two definitions of a column. Returns null if they are equivalent. */
export function compareColumn(from: Column, to: Column): ColumnChange | null {
  // A definition does not contain what the column inherits from its table, such as the character set. This
  // may differ although the definitions are equal.
  if (from.definition === to.definition && from.charset === to.charset && from.collation === to.collation)
    return null;
  if (from.generated !== null || to.generated !== null) return { class: 'retype', loss: '', misfits: [] };
  const type = compareTypes(from, to);
  const incompatible = [...type.misfits];
  let isTighter = type.class === 'tighten';
  if (from.nullable && !to.nullable) {
    isTighter = true;
    incompatible.push({ condition: '{c} IS NULL', problem: 'contains NULL' });
  }
  if (from.default.kind !== 'none' && to.default.kind === 'none' && !to.nullable && !to.autoIncrement)
    isTighter = true;
  if (from.autoIncrement && !to.autoIncrement) isTighter = true;
  if (type.class === 'retype') return { ...type, misfits: incompatible };
  return { class: isTighter ? 'tighten' : 'widen', loss: type.loss, misfits: incompatible };
}

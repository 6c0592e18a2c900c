import { integerRange, type Column } from '@rowhouse/schema-model';
import type { ColumnChange, IncompatibleValue } from './column-change.js';
import { convertIncompatible, outsideDecimal } from './convert-incompatible.js';
import { quoteText } from '../sql-text.js';

const WIDER: ColumnChange = { class: 'widen', loss: '', misfits: [] };

/**
 * Returns how a change of a column's type affects its values. Nullability and defaults are not considered.
 */
export function compareTypes(from: Column, to: Column): ColumnChange {
  const isSameText = from.charset === to.charset && from.collation === to.collation;
  if (from.sqlType === to.sqlType && isSameText && from.valueKind === to.valueKind) return WIDER;
  if (isInteger(from) && isInteger(to)) return compareInteger(from, to);
  if (from.valueKind !== to.valueKind || !isSameText) return convertIncompatible(from, to);
  switch (to.valueKind) {
    case 'string':
    case 'binary':
      return compareLength(from, to);
    case 'decimal':
      return compareDecimal(from, to);
    case 'datetime':
    case 'timestamp':
    case 'time':
      return compareFraction(from, to);
    case 'enum':
    case 'set':
      return compareLabels(from, to);
    default:
      return convertIncompatible(from, to);
  }
}

/**
 * Reports whether a column contains integers. BOOLEAN is an alias of TINYINT(1) and is included, although API
 * callers see it as another type.
 */
function isInteger(column: Column): boolean {
  return column.valueKind === 'integer' || (column.valueKind === 'boolean' && column.type === 'tinyint');
}

function compareInteger(from: Column, to: Column): ColumnChange {
  const [old, next] = [integerRange(from), integerRange(to)];
  const isOther = from.valueKind !== to.valueKind;
  const incompatible: IncompatibleValue[] = [];
  if (next.low > old.low || next.high < old.high)
    incompatible.push({
      condition: `{c} < ${next.low} OR {c} > ${next.high}`,
      problem: `contains numbers outside the range of ${to.sqlType}`,
    });
  if (isOther) return { class: 'retype', loss: '', misfits: incompatible };
  return { class: incompatible.length > 0 ? 'tighten' : 'widen', loss: '', misfits: incompatible };
}

function compareLength(from: Column, to: Column): ColumnChange {
  if (from.maxLength === null || to.maxLength === null) return convertIncompatible(from, to);
  // CHAR and BINARY pad their values, so a conversion changes the length of a value.
  if (from.type !== to.type && /^(char|binary)$/.test(`${from.type}`) !== /^(char|binary)$/.test(to.type))
    return convertIncompatible(from, to);
  if (to.maxLength >= from.maxLength) return WIDER;
  const measure = to.valueKind === 'string' && !/text$/.test(to.type) ? 'CHAR_LENGTH' : 'LENGTH';
  return {
    class: 'tighten',
    loss: '',
    misfits: [
      {
        condition: `${measure}({c}) > ${to.maxLength}`,
        problem: `contains values longer than ${to.sqlType}`,
      },
    ],
  };
}

function compareDecimal(from: Column, to: Column): ColumnChange {
  const fromWhole = (from.precision ?? 0) - (from.scale ?? 0);
  const toWhole = (to.precision ?? 0) - (to.scale ?? 0);
  if (from.unsigned !== to.unsigned) return convertIncompatible(from, to);
  const isShorter = (to.scale ?? 0) < (from.scale ?? 0);
  if (toWhole >= fromWhole && !isShorter) return WIDER;
  // Rounding may add a digit before the decimal point. For example, 9.99 becomes 10.0 with one decimal place.
  const mayGrow = toWhole === fromWhole && isShorter;
  const incompatible =
    toWhole < fromWhole || mayGrow
      ? [
          {
            condition: outsideDecimal('{c}', to),
            problem: `contains numbers outside the range of ${to.sqlType}`,
          },
        ]
      : [];
  return {
    class: 'tighten',
    loss: isShorter ? `digits after decimal place ${to.scale ?? 0}` : '',
    misfits: incompatible,
  };
}

function compareFraction(from: Column, to: Column): ColumnChange {
  if ((to.fraction ?? 0) >= (from.fraction ?? 0)) return WIDER;
  return { class: 'tighten', loss: 'fractions of a second', misfits: [] };
}

function compareLabels(from: Column, to: Column): ColumnChange {
  const remainingLabels = new Set(to.labels ?? []);
  const removed = (from.labels ?? []).filter((label) => !remainingLabels.has(label));
  if (removed.length === 0) return WIDER;
  const quoted = removed.map(quoteText);
  const condition =
    to.valueKind === 'enum'
      ? `{c} IN (${quoted.join(', ')})`
      : quoted.map((label) => `FIND_IN_SET(${label}, {c}) > 0`).join(' OR ');
  return {
    class: 'tighten',
    loss: '',
    misfits: [{ condition, problem: `contains the removed labels ${removed.join(', ')}` }],
  };
}

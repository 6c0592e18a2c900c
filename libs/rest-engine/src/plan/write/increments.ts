import type { CompiledColumn } from '@rowhouse/schema-model';
import type { FaultList } from '../../request/fault-list.js';
import { isJsonNumber } from '../../request/json-value.js';
import type { JsonValue } from '../../request/json-value.js';
import type { BoundValue } from '../../values/cell.js';
import { coerceJson } from '../../values/coerce-json.js';
import { coerceDecimal, coerceFloat, coerceInteger } from '../../values/coerce-number.js';
import type { Coerced } from '../../values/coerced.js';

/**
 * Parses the operand of `$inc`, the number that is added to the column. Returns undefined after adding a
 * fault.
 */
export function readIncrement(
  column: CompiledColumn,
  operand: JsonValue,
  loc: readonly (string | number)[],
  faults: FaultList,
): BoundValue | undefined {
  const text = isJsonNumber(operand) ? operand.text : typeof operand === 'string' ? operand : null;
  const added = text === null ? null : coerceIncrement(column, text);
  if (added?.kind === 'value') return added.value;
  if (added === null) faults.add(loc, '$inc needs a number and a numeric column.', 'increment');
  else faults.add(loc, added.msg, added.type);
  return undefined;
}

/** Converts the operand of `$inc`. It may be negative even if the column is unsigned. */
function coerceIncrement(column: CompiledColumn, text: string): Coerced | null {
  switch (column.valueKind) {
    case 'integer':
      return coerceInteger({ ...column, type: 'bigint', unsigned: false }, text, 'write', true);
    case 'decimal':
      return coerceDecimal({ ...column, unsigned: false }, text, 'write');
    case 'float':
    case 'double':
      return coerceFloat({ ...column, unsigned: false }, text, 'write');
    default:
      return null;
  }
}

/**
 * Returns the value that an upsert with `$inc` stores if it creates a new record: the column's default, or 0,
 * plus `added`.
 */
export function startIncrement(column: CompiledColumn, added: BoundValue): Coerced {
  if (column.default.kind === 'expression') {
    return {
      kind: 'refused',
      msg: 'The default of the column is an expression, so a new record needs a plain number.',
      type: 'increment',
    };
  }
  const start = column.default.kind === 'literal' ? column.default.text : '0';
  const isBinary = column.valueKind === 'float' || column.valueKind === 'double';
  const text = isBinary ? String(Number(start) + Number(added)) : addDecimals(start, String(added));
  return coerceJson(column, { kind: 'number', text });
}

/** Adds two decimals without losing digits. */
function addDecimals(a: string, b: string): string {
  const scale = Math.max(countFraction(a), countFraction(b));
  const sum = toUnits(a, scale) + toUnits(b, scale);
  const digits = String(sum < 0n ? -sum : sum).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${sum < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`;
}

function countFraction(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

function toUnits(text: string, scale: number): bigint {
  return BigInt(text.replace('.', '') + '0'.repeat(scale - countFraction(text)));
}

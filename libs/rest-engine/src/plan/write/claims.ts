import type { CompiledColumn } from '@rowhouse/schema-model';
import type { FaultList } from '../../request/fault-list.js';
import { isJsonArray, isJsonNumber, isJsonObject } from '../../request/json-value.js';
import type { JsonValue } from '../../request/json-value.js';
import { isDayKind } from '../../values/coerce-temporal.js';
import { coerceText } from '../../values/coerce-text.js';

/**
 * A value in a body that its column does not accept. The value is accepted if it equals the stored value, and
 * is a fault otherwise.
 */
export interface Claim {
  readonly column: CompiledColumn;
  readonly value: JsonValue;
  readonly fault: ClaimFault;
}

interface ClaimFault {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly hint: string | null;
}

/** A fault list that remembers its first fault instead of reporting it. */
export interface FaultCatcher extends FaultList {
  caught(): ClaimFault | null;
}

export function catchFault(faults: FaultList): FaultCatcher {
  let caught: ClaimFault | null = null;
  return {
    add: (loc, msg, type, hint = null) => void (caught ??= { loc, msg, type, hint }),
    isFull: () => faults.isFull(),
    wantsHint: () => faults.wantsHint(),
    throwIfAny: () => undefined,
    caught: () => caught,
  };
}

/**
 * Reports whether the column may already contain this value, written by another program, although this API
 * rejects it. Examples are an unknown label, a text without the required format and a day that does not
 * exist. Returns false for hidden columns, whose values must not be revealed.
 */
export function mayBeStored(column: CompiledColumn, value: JsonValue): boolean {
  if (typeof value !== 'string' || column.hidden) return false;
  if (column.valueKind === 'enum') return value === '';
  return column.valueKind === 'string'
    ? column.format !== null
    : isDayKind(column) && coerceText(column, value, 'key').kind === 'value';
}

export const GENERATED_FAULT = 'The column is generated and cannot be set.';

/**
 * Compares two values as responses show them. A number may be a text, because `numbers=string` and CSV return
 * numbers as text.
 */
export function isSameJson(a: JsonValue, b: JsonValue): boolean {
  if (isJsonArray(a) && isJsonArray(b))
    return a.length === b.length && a.every((item, index) => isSameJson(item, b[index] ?? null));
  if (isJsonObject(a) && isJsonObject(b))
    return (
      a.size === b.size &&
      [...a].every(([name, item]) => b.has(name) && isSameJson(item, b.get(name) ?? null))
    );
  if (a === b) return true;
  const [first, second] = [scalarText(a), scalarText(b)];
  return (
    first !== null &&
    second !== null &&
    (isJsonNumber(a) || isJsonNumber(b) ? plainNumber(first) === plainNumber(second) : first === second)
  );
}

function scalarText(value: JsonValue): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return value !== null && isJsonNumber(value) ? value.text : null;
}

/**
 * Normalizes a number, so that `1.50` and `1.5e0` become the same text. Other texts are returned unchanged.
 */
function plainNumber(text: string): string {
  if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return text;
  if (/[eE]/.test(text)) return String(Number(text));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

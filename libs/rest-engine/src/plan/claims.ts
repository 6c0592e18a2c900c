import type { CompiledColumn } from '@rowhouse/schema-model';
import type { FaultList } from '../request/fault-list.js';
import { isJsonArray, isJsonNumber, isJsonObject } from '../request/json-kind.js';
import type { JsonValue } from '../request/json-value.js';
import { isDayKind } from './values/coerce-temporal.js';
import { coerceText } from './values/coerce-text.js';

/** A member of a body that its column does not take. It is no fault when it is what is stored. */
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

/** A fault list that keeps the first fault instead of telling it. */
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
 * Whether other programs may have stored a value that the column takes from nobody here: a label that is none, a text without
 * the form that is asked for, a day that there is not. Whether it is stored in a hidden column is not told.
 */
export function mayBeStored(column: CompiledColumn, value: JsonValue): boolean {
  if (typeof value !== 'string' || column.hidden) return false;
  if (column.valueKind === 'enum') return value === '';
  return column.valueKind === 'string' ? column.format !== null : isDayKind(column) && coerceText(column, value, 'key').kind === 'value';
}

export const GENERATED_FAULT = 'The column is generated: it cannot be set.';

/** Whether two values are the same as answers show them. Numbers may be texts, as with `numbers=string` and in CSV. */
export function isSameJson(a: JsonValue, b: JsonValue): boolean {
  if (isJsonArray(a) && isJsonArray(b)) return a.length === b.length && a.every((item, at) => isSameJson(item, b[at] ?? null));
  if (isJsonObject(a) && isJsonObject(b)) return a.size === b.size && [...a].every(([name, item]) => b.has(name) && isSameJson(item, b.get(name) ?? null));
  if (a === b) return true;
  const [first, second] = [scalarText(a), scalarText(b)];
  return first !== null && second !== null && (isJsonNumber(a) || isJsonNumber(b) ? plainNumber(first) === plainNumber(second) : first === second);
}

function scalarText(value: JsonValue): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return value !== null && isJsonNumber(value) ? value.text : null;
}

/** `1.50` and `1.5e0` are one number. Texts that are none stay as they are. */
function plainNumber(text: string): string {
  if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return text;
  if (/[eE]/.test(text)) return String(Number(text));
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

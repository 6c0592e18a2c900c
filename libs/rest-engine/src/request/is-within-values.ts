import { isJsonArray, isJsonObject } from './json-kind.js';
import type { JsonValue } from './json-value.js';

/**
 * Reports whether a value and everything nested in it are at most `valuesMax` values. Stops counting beyond
 * that.
 */
export function isWithinValues(root: JsonValue, valuesMax: number): boolean {
  let found = 1;
  const open: JsonValue[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (!isJsonArray(value) && !isJsonObject(value)) continue;
    found += isJsonArray(value) ? value.length : value.size;
    if (found > valuesMax) return false;
    for (const inner of value.values()) if (typeof inner === 'object' && inner !== null) open.push(inner);
  }
  return found <= valuesMax;
}

// @ts-check
import { ANY } from '../schemas/golden-change.mjs';

/** @typedef {Record<string, unknown>} Members */

/**
 * Describes the first difference between a record and its expected members. Returns null if they are equal.
 * @param {unknown} found
 * @param {Members} expected the expected members; a value of undefined means that the member must be absent
 * @returns {string | null}
 */
export function matchRecord(found, expected) {
  if (typeof found !== 'object' || found === null || Array.isArray(found))
    return `no record: ${JSON.stringify(found)}`;
  const record = /** @type {Members} */ (found);
  for (const [name, value] of Object.entries(expected)) {
    if (value === undefined && name in record) return `${name} is there`;
    if (value === undefined || (value === ANY && name in record)) continue;
    if (!(name in record)) return `${name} is missing`;
    if (JSON.stringify(record[name]) !== JSON.stringify(value))
      return `${name} is ${JSON.stringify(record[name])} instead of ${JSON.stringify(value)}`;
  }
  const extra = Object.keys(record).find((name) => expected[name] === undefined);
  return extra === undefined ? null : `${extra} is there`;
}

/**
 * Returns null if the record matches one of the shapes. Otherwise describes the difference from each of them.
 * @template T
 * @param {unknown} found
 * @param {readonly T[]} shapes
 * @param {(shape: T) => Members} wantedOf
 * @returns {string | null}
 */
export function matchAnyShape(found, shapes, wantedOf) {
  const faults = shapes.map((shape) => matchRecord(found, wantedOf(shape)));
  return faults.includes(null) ? null : faults.join(' and ');
}

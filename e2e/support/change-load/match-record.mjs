// @ts-check
import { ANY } from '../golden-change.mjs';

/** @typedef {Record<string, unknown>} Members */

/**
 * What is wrong with a record, or null: it has to have just these members with just these values.
 * @param {unknown} found
 * @param {Members} wanted undefined: the member must not be there
 * @returns {string | null}
 */
export function matchRecord(found, wanted) {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return `no record: ${JSON.stringify(found)}`;
  const record = /** @type {Members} */ (found);
  for (const [name, value] of Object.entries(wanted)) {
    if (value === undefined && name in record) return `${name} is there`;
    if (value === undefined || (value === ANY && name in record)) continue;
    if (!(name in record)) return `${name} is missing`;
    if (JSON.stringify(record[name]) !== JSON.stringify(value)) return `${name} is ${JSON.stringify(record[name])} instead of ${JSON.stringify(value)}`;
  }
  const extra = Object.keys(record).find((name) => wanted[name] === undefined);
  return extra === undefined ? null : `${extra} is there`;
}

/**
 * Whether the record is right under one of the shapes; else why it is not, under each.
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

import { faultAt, validationError } from '@rowhouse/errors';
import type { Preferences, RawRequest } from './api-request.js';

const KNOWN: ReadonlyMap<string, readonly string[]> = new Map([
  ['return', ['minimal', 'representation']],
  ['tx', ['commit', 'rollback']],
  ['numbers', ['json', 'string']],
  ['resolution', ['merge-duplicates', 'ignore-duplicates']],
  ['csv-formulas', ['keep', 'escape']],
  ['on-error', ['stop', 'continue']],
]);

/** The highest value of `max-affected`, which equals the number of records that one request may create. */
export const MAX_AFFECTED_MAX = 10_000;
const WRITE_ONLY = ['return', 'tx', 'max-affected', 'resolution', 'on-error'];

const NONE: Preferences = Object.freeze({
  result: null,
  transaction: 'commit',
  numbers: 'json',
  maxAffected: null,
  resolution: null,
  formulas: 'keep',
  onError: null,
  applied: Object.freeze([]),
});

/**
 * Parses `Prefer`. Throws 422 for a known preference with an invalid value. Unknown preferences are ignored,
 * as RFC 7240 requires.
 */
export function parsePreferences(headers: RawRequest['headers'], isWrite: boolean): Preferences {
  const header = headers['prefer'];
  if (header === undefined) return NONE;
  const chosen = new Map<string, string>();
  for (const part of (typeof header === 'string' ? header : header.join(',')).split(',')) {
    const [name = '', value = ''] = (part.split(';')[0] ?? '').split('=').map((chunk) => chunk.trim());
    const values = KNOWN.get(name.toLowerCase());
    const isCount = name.toLowerCase() === 'max-affected';
    if ((values === undefined && !isCount) || chosen.has(name.toLowerCase())) continue;
    const plain = value.replace(/^"(.*)"$/, '$1');
    if (isCount && !/^\d{1,15}$/.test(plain))
      throw badPreference(name, [`a number up to ${MAX_AFFECTED_MAX}`]);
    if (isCount && Number(plain) > MAX_AFFECTED_MAX) throw tooManyAffected();
    if (values !== undefined && !values.includes(plain)) throw badPreference(name, values);
    chosen.set(name.toLowerCase(), plain);
  }
  if (!isWrite) for (const name of WRITE_ONLY) chosen.delete(name);
  const most = chosen.get('max-affected');
  const resolution = chosen.get('resolution');
  return {
    result: (chosen.get('return') as Preferences['result'] | undefined) ?? null,
    transaction: chosen.get('tx') === 'rollback' ? 'rollback' : 'commit',
    numbers: chosen.get('numbers') === 'string' ? 'string' : 'json',
    maxAffected: most === undefined ? null : Number(most),
    resolution: resolution === undefined ? null : resolution === 'ignore-duplicates' ? 'ignore' : 'merge',
    formulas: chosen.get('csv-formulas') === 'escape' ? 'escape' : 'keep',
    onError: (chosen.get('on-error') as Preferences['onError'] | undefined) ?? null,
    applied: [...chosen].map(([name, value]) => `${name}=${value}`),
  };
}

function tooManyAffected(): Error {
  return validationError('limit.filtered_rows', [
    faultAt(
      ['header', 'Prefer'],
      `A write by filter changes at most ${MAX_AFFECTED_MAX} records.`,
      'less_than_equal',
    ),
  ]);
}

function badPreference(name: string, values: readonly string[]): Error {
  return validationError('params.invalid', [
    faultAt(['header', 'Prefer'], `The preference ${name} is ${values.join(' or ')}.`, 'preference'),
  ]);
}

import { faultAt, validationError } from '@rowhouse/errors';
import type { Preferences, RawRequest } from './api-request.js';

const KNOWN: ReadonlyMap<string, readonly string[]> = new Map([
  ['return', ['minimal', 'representation']],
  ['tx', ['commit', 'rollback']],
  ['numbers', ['json', 'string']],
]);

const NONE: Preferences = Object.freeze({ result: null, transaction: 'commit', numbers: 'json', applied: Object.freeze([]) });

/** Reads `Prefer`. A known preference with a value that it does not have is 422; unknown ones are ignored (RFC 7240). */
export function parsePreferences(headers: RawRequest['headers'], isWrite: boolean): Preferences {
  const header = headers['prefer'];
  if (header === undefined) return NONE;
  const chosen = new Map<string, string>();
  for (const part of (typeof header === 'string' ? header : header.join(',')).split(',')) {
    const [name = '', value = ''] = (part.split(';')[0] ?? '').split('=').map((piece) => piece.trim());
    const values = KNOWN.get(name.toLowerCase());
    if (values === undefined || chosen.has(name.toLowerCase())) continue;
    const plain = value.replace(/^"(.*)"$/, '$1');
    if (!values.includes(plain)) throw badPreference(name, values);
    chosen.set(name.toLowerCase(), plain);
  }
  if (!isWrite) {
    chosen.delete('return');
    chosen.delete('tx');
  }
  return {
    result: (chosen.get('return') as Preferences['result'] | undefined) ?? null,
    transaction: chosen.get('tx') === 'rollback' ? 'rollback' : 'commit',
    numbers: chosen.get('numbers') === 'string' ? 'string' : 'json',
    applied: [...chosen].map(([name, value]) => `${name}=${value}`),
  };
}

function badPreference(name: string, values: readonly string[]): Error {
  return validationError('params.invalid', [faultAt(['header', 'Prefer'], `The preference ${name} is ${values.join(' or ')}.`, 'preference')]);
}

import { isKeptByDouble } from '../plan/values/exact-number.js';

/** Strings are skipped, since digits inside them are text. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs;
/** Shorter numbers without an exponent are kept by every double. */
const SURE_CHARACTERS = 15;

/** Whether a number of JSON text becomes a string where the client asks for `numbers=string`. */
export function needsQuotes(number: string): boolean {
  return (number.length > SURE_CHARACTERS || /[eE]/.test(number)) && !isKeptByDouble(number);
}

/** Writes the numbers that a double would change as strings. `json`: valid JSON text. */
export function quoteWideNumbers(json: string): string {
  return json.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') || !needsQuotes(token) ? token : `"${token}"`));
}

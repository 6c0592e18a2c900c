import { isExactAsDouble } from '../plan/values/exact-number.js';

/** Matches strings too, so that digits inside them are skipped. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs;
/** Every double represents shorter numbers without an exponent exactly. */
const SURE_CHARACTERS = 15;

/** Reports whether a number of JSON text becomes a string when the client asks for `numbers=string`. */
export function needsQuotes(number: string): boolean {
  return (number.length > SURE_CHARACTERS || /[eE]/.test(number)) && !isExactAsDouble(number);
}

/** Writes numbers that a double would change as strings. `json` must be valid JSON text. */
export function quoteWideNumbers(json: string): string {
  return json.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || !needsQuotes(token) ? token : `"${token}"`,
  );
}

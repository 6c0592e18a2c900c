/** Matches text that a reader would otherwise split or trim. */
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;
const FORMULA_START = /^[=+\-@\t\r]/;

/**
 * Returns a field of a CSV line (RFC 4180). An empty text becomes `""`, because an empty field means NULL.
 */
export function quoteCsv(text: string): string {
  if (text === '') return '""';
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Prefixes a text that a spreadsheet would run as a formula, so that it is displayed as text. */
export function disarmFormula(text: string): string {
  return FORMULA_START.test(text) ? `'${text}` : text;
}

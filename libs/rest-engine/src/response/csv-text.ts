/** What a program that trims fields, or reads them as more than one, would take for something else. */
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;
const FORMULA_START = /^[=+\-@\t\r]/;

/** A field of a CSV line (RFC 4180). An empty text is `""`, for an empty field is NULL. */
export function quoteCsv(text: string): string {
  if (text === '') return '""';
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text that a spreadsheet would run as a formula, made one that it shows. */
export function disarmFormula(text: string): string {
  return FORMULA_START.test(text) ? `'${text}` : text;
}

import type { RecordFault } from './record-splitter.js';

/** A field of a CSV record. Null is an empty field without quotes, which is stored as NULL. */
export type CsvField = string | null;

/**
 * The maximum number of fields in a record. No server has tables with more columns. Without this limit, a
 * record of commas only would have millions of fields.
 */
export const FIELDS_MAX = 4_096;

/**
 * Splits one CSV record into its fields by the strict rules of RFC 4180. Quotes at other positions are
 * rejected, because their meaning would be ambiguous.
 */
export function parseCsvRecord(
  text: string,
): { readonly fields: readonly CsvField[] } | { readonly fault: RecordFault } {
  const fields: CsvField[] = [];
  let index = 0;
  for (;;) {
    if (text[index] === '"') {
      const end = findClosingQuote(text, index + 1);
      if (end === TOO_MANY) return reject(fields, `contains more than ${QUOTES_MAX} quotes`, 'csv_quote');
      if (end < 0) return reject(fields, 'is never closed', 'csv_quote');
      if (end + 1 < text.length && text[end + 1] !== ',')
        return reject(fields, 'has text after its closing quote', 'csv_quote');
      fields.push(text.slice(index + 1, end).replaceAll('""', '"'));
      index = end + 1;
    } else {
      const comma = text.indexOf(',', index);
      const end = comma < 0 ? text.length : comma;
      const field = text.slice(index, end);
      if (field.includes('"')) return reject(fields, 'contains a quote but is not quoted', 'csv_quote');
      if (field.includes('\r'))
        return reject(fields, 'contains a carriage return but is not quoted', 'csv_return');
      fields.push(field === '' ? null : field);
      index = end;
    }
    if (index >= text.length || fields.length > FIELDS_MAX) return { fields };
    index += 1;
  }
}

/** The maximum number of doubled quotes in one field. Each doubled quote becomes one quote in the value. */
const QUOTES_MAX = 1_000_000;
const TOO_MANY = -2;

/**
 * Returns the position of a field's closing quote, without counting doubled quotes. Returns -1 if the field
 * is not closed, and `TOO_MANY` if it has too many doubled quotes.
 */
function findClosingQuote(text: string, start: number): number {
  let index = text.indexOf('"', start);
  for (let quotes = 1; index >= 0 && text[index + 1] === '"'; quotes += 1) {
    if (quotes > QUOTES_MAX) return TOO_MANY;
    index = text.indexOf('"', index + 2);
  }
  return index;
}

function reject(before: readonly CsvField[], what: string, type: string): { readonly fault: RecordFault } {
  return {
    fault: {
      msg:
        `Field ${before.length + 1} ${what}. Put fields with commas, quotes or line breaks in ` +
        'quotes, and double each quote inside them.',
      type,
    },
  };
}

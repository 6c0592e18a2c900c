import type { RecordFault } from './record-splitter.js';

/** A field of a record: null when it is empty and not quoted, which is how NULL is written. */
export type CsvField = string | null;

/** As many as a table of any engine has columns. Of more no more is read than tells that: a record may be all commas. */
export const FIELDS_MAX = 4_096;

/** The fields of one record of CSV (RFC 4180), strictly: what a program may have meant by stray quotes cannot be known. */
export function parseCsvRecord(text: string): { readonly fields: readonly CsvField[] } | { readonly fault: RecordFault } {
  const fields: CsvField[] = [];
  let at = 0;
  for (;;) {
    if (text[at] === '"') {
      const end = findClosingQuote(text, at + 1);
      if (end === TOO_MANY) return refuse(fields, `holds more than ${QUOTES_MAX} quotes`, 'csv_quote');
      if (end < 0) return refuse(fields, 'is never closed', 'csv_quote');
      if (end + 1 < text.length && text[end + 1] !== ',') return refuse(fields, 'goes on behind its closing quote', 'csv_quote');
      fields.push(text.slice(at + 1, end).replaceAll('""', '"'));
      at = end + 1;
    } else {
      const comma = text.indexOf(',', at);
      const end = comma < 0 ? text.length : comma;
      const field = text.slice(at, end);
      if (field.includes('"')) return refuse(fields, 'holds a quote and is not quoted', 'csv_quote');
      if (field.includes('\r')) return refuse(fields, 'holds a carriage return and is not quoted', 'csv_return');
      fields.push(field === '' ? null : field);
      at = end;
    }
    if (at >= text.length || fields.length > FIELDS_MAX) return { fields };
    at += 1;
  }
}

/** Of one field, each of which becomes one of the text. */
const QUOTES_MAX = 1_000_000;
const TOO_MANY = -2;

/** A doubled quote is one of the text. */
function findClosingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start);
  for (let quotes = 1; at >= 0 && text[at + 1] === '"'; quotes += 1) {
    if (quotes > QUOTES_MAX) return TOO_MANY;
    at = text.indexOf('"', at + 2);
  }
  return at;
}

function refuse(before: readonly CsvField[], what: string, type: string): { readonly fault: RecordFault } {
  return { fault: { msg: `Field ${before.length + 1} ${what}: fields with commas, quotes or line ends stand in quotes, and a quote in them is doubled.`, type } };
}

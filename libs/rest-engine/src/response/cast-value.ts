import { findNumberEnd } from '../request/read-json-number.js';
import type { Cast } from '../plan/plan.js';
import type { ShapeColumn } from '../sql/statement.js';
import { disarmFormula, quoteCsv } from './csv-text.js';
import type { ValueWriter } from './value-writer.js';

/** Returns the writer of a column that is cast. `write` gives a value as the answer shows it without the cast. */
export function castToJson({ cast = 'string' }: ShapeColumn, write: ValueWriter): ValueWriter {
  const isText = cast === 'string' || cast === 'date';
  return (cell) => {
    const text = castJson(write(cell), cast);
    return text === null ? 'null' : isText ? JSON.stringify(text) : text;
  };
}

/** The same as a field of CSV. */
export function castToCsv({ cast = 'string' }: ShapeColumn, formulas: 'keep' | 'escape', write: ValueWriter): ValueWriter {
  return (cell) => {
    const text = castJson(write(cell), cast);
    if (text === null) return '';
    return cast === 'string' ? quoteCsv(formulas === 'keep' ? text : disarmFormula(text)) : text;
  };
}

/** The text of what a value is cast to; null where it has no such value. */
function castJson(json: string, cast: Cast): string | null {
  if (json === 'null') return null;
  switch (cast) {
    case 'string': return toText(json);
    case 'number': return toNumber(json);
    case 'boolean': return toBoolean(json);
    case 'date': return /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(toText(json))?.[0] ?? null;
  }
}

/** A JSON string without its quotes; anything else as it is written. */
function toText(json: string): string {
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

/** Digits as they are; the number that a text holds; 1 and 0 for true and false. */
function toNumber(json: string): string | null {
  if (json === 'true' || json === 'false') return json === 'true' ? '1' : '0';
  const text = toText(json);
  return findNumberEnd(text, 0) === text.length ? text : null;
}

/** Every number but 0 is true. */
function toBoolean(json: string): string | null {
  const text = toText(json);
  if (text === 'true' || text === 'false') return text;
  if (json.startsWith('"')) return text === '1' ? 'true' : text === '0' ? 'false' : null;
  return findNumberEnd(text, 0) === text.length ? String(/^-?[0.]*[1-9]/.test(text)) : null;
}

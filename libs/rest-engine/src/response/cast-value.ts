import { findNumberEnd } from '../request/read-json-number.js';
import type { Cast } from '../plan/plan.js';
import type { ShapeColumn } from '../sql/statement.js';
import { disarmFormula, quoteCsv } from './csv-text.js';
import type { ValueWriter } from './value-writer.js';

/**
 * Returns the writer of a column with a cast. `write` returns a value in JSON as it appears without the cast.
 */
export function castToJson({ cast = 'string' }: ShapeColumn, write: ValueWriter): ValueWriter {
  const isText = cast === 'string' || cast === 'date';
  return (cell) => {
    const text = castJson(write(cell), cast);
    return text === null ? 'null' : isText ? JSON.stringify(text) : text;
  };
}

/**
 * Returns the writer of a column with a cast for CSV. `write` returns a value in JSON as it appears without
 * the cast.
 */
export function castToCsv(
  { cast = 'string' }: ShapeColumn,
  formulas: 'keep' | 'escape',
  write: ValueWriter,
): ValueWriter {
  return (cell) => {
    const text = castJson(write(cell), cast);
    if (text === null) return '';
    return cast === 'string' ? quoteCsv(formulas === 'keep' ? text : disarmFormula(text)) : text;
  };
}

/** Returns the text of the cast value, or null if the value cannot be cast. */
function castJson(json: string, cast: Cast): string | null {
  if (json === 'null') return null;
  switch (cast) {
    case 'string':
      return toText(json);
    case 'number':
      return toNumber(json);
    case 'boolean':
      return toBoolean(json);
    case 'date':
      return /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(toText(json))?.[0] ?? null;
  }
}

/** Returns the content of a JSON string, or other JSON unchanged. */
function toText(json: string): string {
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

/** Returns the number of a digit string or of a number. True becomes 1 and false becomes 0. */
function toNumber(json: string): string | null {
  if (json === 'true' || json === 'false') return json === 'true' ? '1' : '0';
  const text = toText(json);
  return findNumberEnd(text, 0) === text.length ? text : null;
}

/** Returns the boolean of a value. Every number except 0 is true. */
function toBoolean(json: string): string | null {
  const text = toText(json);
  if (text === 'true' || text === 'false') return text;
  if (json.startsWith('"')) return text === '1' ? 'true' : text === '0' ? 'false' : null;
  return findNumberEnd(text, 0) === text.length ? String(/^-?[0.]*[1-9]/.test(text)) : null;
}

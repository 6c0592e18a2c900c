import { isWide } from '@rowhouse/schema-model';
import { encodeBase64 } from '../values/base64.js';
import type { ShapeColumn } from './statement.js';
import { isExactAsDouble } from '../values/exact-number.js';
import { findNumberEnd } from '../request/json-scanner.js';
import type { Cast } from '../plan/plan-parts.js';
import { type Cell, bitsToText } from '../values/cell.js';

/** Matches a text that CSV readers would otherwise split or trim. */
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

const FORMULA_START = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Matches a string or a number in JSON. Strings are matched so that the digits inside them are skipped. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs;

/** The number of characters up to which a double represents every number without an exponent exactly. */
const SURE_CHARACTERS = 15;

/** Converts a cell that is not NULL to JSON text. */
export type ValueWriter = (cell: Exclude<Cell, null>) => string;

/**
 * Returns the function that writes a column's values as JSON. The JSON type depends on the column, never on
 * the value.
 */
export function makeValueWriter(column: ShapeColumn, numbers: 'json' | 'string'): ValueWriter {
  if (column.cast !== undefined) return castToJson(column, makeValueWriter(withoutCast(column), 'json'));
  const number = numbers === 'string' && isWideNumber(column) ? quoted : plain;
  const fraction = column.column?.fraction ?? column.fraction ?? 0;
  switch (column.kind) {
    case 'integer':
      return number(writeInteger);
    case 'decimal':
      return number(isZerofill(column) ? (cell) => stripZeros(textOfCell(cell)) : textOfCell);
    case 'float':
      return number((cell) => writeFloat(Number(cell)));
    case 'double':
      return number((cell) => writeDouble(Number(cell)));
    case 'bit':
      return number(writeBits);
    case 'boolean':
      return writeBoolean;
    case 'year':
      return (cell) => String(Number(cell));
    case 'set':
      return writeSet;
    case 'date':
      return (cell) => JSON.stringify(textOfCell(cell));
    case 'datetime':
      return (cell) => writeTemporal(cell, (text) => writeMoment(text, fraction));
    case 'timestamp':
      return (cell) => writeTemporal(cell, (text) => `${writeMoment(text, fraction)}Z`);
    case 'time':
      return (cell) => writeTemporal(cell, (text) => padFraction(text, fraction));
    case 'json':
      return numbers === 'string' ? writeExactJson : writeJson;
    case 'geometry':
      return writeJson;
    case 'binary':
      return (cell) => `"${encodeBase64(toBytes(cell))}"`;
    case 'vector':
      return writeVector;
    case 'string':
    case 'enum':
    case 'uuid':
    case 'inet':
      return (cell) => JSON.stringify(textOfCell(cell));
  }
}

/** Returns the column without its cast. */
export function withoutCast({ cast: _cast, ...column }: ShapeColumn): ShapeColumn {
  return column;
}

/** Reports whether the column may contain numbers that change when a program parses them as doubles. */
export function isWideNumber({ kind, column, isWide: isWideCell }: ShapeColumn): boolean {
  if (kind === 'decimal') return true;
  return column === null ? isWideCell === true : isWide(column);
}

/**
 * Writes an integer. If the column's type was just changed, the cell may be another text, which becomes a
 * string so that the response remains valid JSON.
 */
function writeInteger(cell: Exclude<Cell, null>): string {
  return typeof cell !== 'string' || /^-?\d+$/.test(cell) ? String(cell) : JSON.stringify(cell);
}

function writeTemporal(cell: Exclude<Cell, null>, write: (text: string) => string): string {
  const text = textOfCell(cell);
  return /^[-\d: .]*$/.test(text) ? `"${write(text)}"` : JSON.stringify(text);
}

function plain(write: ValueWriter): ValueWriter {
  return write;
}

function quoted(write: ValueWriter): ValueWriter {
  return (cell) => `"${write(cell)}"`;
}

/**
 * Reports whether the server pads the column's numbers with zeros, which JSON does not allow. The driver
 * returns padded integers as numbers, so only decimals are affected.
 */
export function isZerofill(column: ShapeColumn): boolean {
  return column.column !== null && / zerofill\b/i.test(column.column.sqlType);
}

function stripZeros(text: string): string {
  return text.replace(/^0+(?=\d)/, '');
}

function writeDouble(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

export function textOfCell(cell: Exclude<Cell, null>): string {
  if (typeof cell === 'string') return cell;
  return cell instanceof Uint8Array ? latinText(cell) : String(cell);
}

/** Converts bytes to text. Drivers return some texts, such as UUIDs, as ASCII bytes. */
function latinText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function toBytes(cell: Exclude<Cell, null>): Uint8Array {
  if (cell instanceof Uint8Array) return cell;
  return Uint8Array.from(String(cell), (char) => char.charCodeAt(0) & 0xff);
}

function writeBits(cell: Exclude<Cell, null>): string {
  return cell instanceof Uint8Array ? bitsToText(cell) : String(cell);
}

function writeBoolean(cell: Exclude<Cell, null>): string {
  const isTrue = cell instanceof Uint8Array ? cell.some((byte) => byte !== 0) : Number(cell) !== 0;
  return isTrue ? 'true' : 'false';
}

function writeSet(cell: Exclude<Cell, null>): string {
  const text = textOfCell(cell);
  return text === '' ? '[]' : JSON.stringify(text.split(','));
}

/**
 * Converts a date and time to the form of responses. With three fractional digits, `2026-01-31 12:00:00.5`
 * becomes `2026-01-31T12:00:00.500`.
 */
function writeMoment(text: string, fraction: number): string {
  return `${text.slice(0, 10)}T${padFraction(text.length > 11 ? text.slice(11) : '00:00:00', fraction)}`;
}

/** Writes a time with all fractional digits of the column. Drivers omit trailing zeros of the fraction. */
function padFraction(time: string, fraction: number): string {
  const point = time.indexOf('.');
  if (fraction === 0) return point < 0 ? time : time.slice(0, point);
  const digits = point < 0 ? '' : time.slice(point + 1);
  return `${point < 0 ? time : time.slice(0, point)}.${digits.padEnd(fraction, '0').slice(0, fraction)}`;
}

/**
 * Writes a JSON document as it is stored. MariaDB stores JSON as text and its check can be disabled, so a
 * text that is not JSON becomes a string.
 */
function writeJson(cell: Exclude<Cell, null>): string {
  const text = textOfCell(cell);
  return isJson(text) ? text : JSON.stringify(text);
}

function writeExactJson(cell: Exclude<Cell, null>): string {
  const text = textOfCell(cell);
  return isJson(text) ? quoteWideNumbers(text) : JSON.stringify(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function writeVector(cell: Exclude<Cell, null>): string {
  if (Array.isArray(cell)) return `[${(cell as readonly number[]).map(writeFloat).join(',')}]`;
  if (!(cell instanceof Uint8Array)) return writeJson(cell);
  const view = new DataView(cell.buffer, cell.byteOffset, cell.byteLength);
  const numbers = Array.from({ length: Math.floor(cell.byteLength / 4) }, (_, index) =>
    writeFloat(view.getFloat32(index * 4, true)),
  );
  return `[${numbers.join(',')}]`;
}

/** Reports whether a number in JSON must be written as a string when the client asks for `numbers=string`. */
export function needsQuotes(number: string): boolean {
  return (number.length > SURE_CHARACTERS || /[eE]/.test(number)) && !isExactAsDouble(number);
}

/** Replaces numbers that would change as doubles with strings. `json` must be valid JSON text. */
export function quoteWideNumbers(json: string): string {
  return json.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || !needsQuotes(token) ? token : `"${token}"`,
  );
}

/**
 * Returns the shortest digits that parse to the same 32-bit float. For example, 1.1 instead of
 * 1.100000023841858.
 */
export function writeFloat(value: number): string {
  if (Object.is(value, -0)) return '-0';
  for (let digits = 6; digits < 9; digits += 1) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return String(text);
  }
  return String(Number(value.toPrecision(9)));
}

/** Returns the JSON writer of a column with a cast. `write` returns the value as JSON without the cast. */
function castToJson({ cast = 'string' }: ShapeColumn, write: ValueWriter): ValueWriter {
  const isText = cast === 'string' || cast === 'date';
  return (cell) => {
    const text = castJson(write(cell), cast);
    return text === null ? 'null' : isText ? JSON.stringify(text) : text;
  };
}

/** Returns the CSV writer of a column with a cast. `write` returns the value as JSON without the cast. */
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

/** Returns a JSON value cast to another type, as text. Returns null if the value cannot be cast. */
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

/** Returns the content of a JSON string. Other JSON is returned unchanged. */
function toText(json: string): string {
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

/**
 * Casts a JSON value to a number. It must be a number, a string of digits or a boolean. True becomes 1 and
 * false becomes 0.
 */
function toNumber(json: string): string | null {
  if (json === 'true' || json === 'false') return json === 'true' ? '1' : '0';
  const text = toText(json);
  return findNumberEnd(text, 0) === text.length ? text : null;
}

/** Casts a JSON value to a boolean. Every number except 0 is true. */
function toBoolean(json: string): string | null {
  const text = toText(json);
  if (text === 'true' || text === 'false') return text;
  if (json.startsWith('"')) return text === '1' ? 'true' : text === '0' ? 'false' : null;
  return findNumberEnd(text, 0) === text.length ? String(/^-?[0.]*[1-9]/.test(text)) : null;
}

/**
 * Returns a field of a CSV line (RFC 4180). An empty text becomes `""`, because an empty field means NULL.
 */
export function quoteCsv(text: string): string {
  if (text === '') return '""';
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Prefixes a text that a spreadsheet would run as a formula with an apostrophe, so that it is displayed as
 * text.
 */
export function disarmFormula(text: string): string {
  return FORMULA_START.test(text) ? `'${text}` : text;
}

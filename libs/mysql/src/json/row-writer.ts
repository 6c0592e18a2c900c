import type { FormatColumn, LongForm, RowFormat, Steps } from '@rowhouse/schema-model';
import type { DbValue } from '../types.js';
import {
  isBytesColumn,
  isTextColumn,
  type ReadCell,
  type RowLayout,
  type WireColumn,
  readLength,
  type Cursor,
} from '../wire/row-layout.js';
import type { ByteBuffer } from './byte-buffer.js';
import { digestLargeSteps, LARGE_BYTES, writeLong } from './large-value.js';
import { writeInteger, writeInteger64 } from './write-digits.js';
import { dropQuotes, writePlainField } from './write-field.js';
import { writeDay, writeMoment, type MomentForm } from './write-datetime.js';
import { writeString } from './write-string.js';

/** Writes rows of one layout in one format. It is compiled once and used for every row. */
export interface RowWriter {
  /**
   * Writes the row that starts at `start`, including the format's text before and after it. The row's key
   * cells are appended to `keys` in column order.
   */
  write(from: Buffer, start: number, to: ByteBuffer, keys: DbValue[]): void;
  /**
   * Writes a large row, one slice in each step. For a large key cell, only its digest is appended to `keys`.
   */
  writeSteps(from: Buffer, start: number, to: ByteBuffer, keys: DbValue[]): Steps<void>;
  /** For each key of the format, its index among the key cells of a row. */
  readonly keyPlaces: readonly number[];
  /** The number of key cells per row. */
  readonly keysPerRow: number;
  /** The size of the last result in bytes, which predicts the size of the next. */
  bytesExpected: number;
  /** The size of the last result in bytes, including embedded records. */
  bytesExpectedWith: number;
}

/** Reads one column's value at the cursor and advances the cursor. */
type WriteValue = (from: Buffer, cursor: Cursor, to: ByteBuffer) => void;

interface Step {
  /**
   * The bytes before the value: `"name":` or `,"name":` in JSON, nothing or a comma in CSV. Null for a column
   * that is only a key.
   */
  readonly head: Buffer | null;
  readonly read: ReadCell;
  readonly write: WriteValue;
  readonly isKey: boolean;
  /** How a large value is written. Null when the column has no large values. */
  readonly long: LongForm | null;
  readonly needsQuotes: FormatColumn['needsQuotes'];
}

const BYTES_EXPECTED_FIRST = 512;
const QUOTE = 0x22;

/**
 * The row writers by format and column types. If the definition of a column changes, a new writer is created.
 */
const known = new WeakMap<RowFormat, Map<string, RowWriter>>();
/**
 * The maximum number of layouts that are cached for a format. Layouts change only with an ALTER, so a few are
 * enough.
 */
const LAYOUTS_MAX = 8;

export function rowWriterFor(layout: RowLayout, format: RowFormat): RowWriter {
  let writers = known.get(format);
  if (writers === undefined) known.set(format, (writers = new Map()));
  let writer = writers.get(layout.signature);
  if (writer === undefined) {
    if (writers.size >= LAYOUTS_MAX) writers.clear();
    writers.set(layout.signature, (writer = compileRowWriter(layout, format)));
  }
  return writer;
}

function compileRowWriter(layout: RowLayout, format: RowFormat): RowWriter {
  const keyColumns = [...new Set(format.keys)].sort((a, b) => a - b);
  const steps = makeSteps(layout, format, keyColumns);
  const [open, close, ofNull] = [
    bytesOf(format.frame.open),
    bytesOf(format.frame.close),
    bytesOf(format.frame.ofNull),
  ];
  const bitmapBytes = (steps.length + 9) >> 3;
  const cursor: Cursor = { at: 0 };
  return {
    bytesExpected: BYTES_EXPECTED_FIRST,
    bytesExpectedWith: BYTES_EXPECTED_FIRST,
    keysPerRow: keyColumns.length,
    keyPlaces: format.keys.map((column) => keyColumns.indexOf(column)),
    write(from, start, to, keys) {
      cursor.at = start + bitmapBytes;
      copyBytes(to, open);
      for (let index = 0; index < steps.length; index += 1) {
        const step = steps[index] as Step;
        // The first two bits of a row's NULL bitmap are unused.
        const bit = index + 2;
        const isNull = ((from[start + (bit >> 3)] as number) & (1 << (bit & 7))) !== 0;
        if (step.isKey) keys.push(isNull ? null : readAt(step.read, from, cursor, step.head !== null));
        if (step.head === null) continue;
        copyBytes(to, step.head);
        if (isNull) copyBytes(to, ofNull);
        else step.write(from, cursor, to);
      }
      copyBytes(to, close);
    },
    *writeSteps(from, start, to, keys) {
      // Each large row has its own cursor, because other rows may be written between two of its steps.
      const own: Cursor = { at: start + bitmapBytes };
      copyBytes(to, open);
      for (const [index, step] of steps.entries()) {
        const isNull = ((from[start + ((index + 2) >> 3)] as number) & (1 << ((index + 2) & 7))) !== 0;
        if (step.head !== null) copyBytes(to, step.head);
        if (!isNull) yield* writeCell(step, from, own, to, keys);
        else {
          if (step.isKey) keys.push(null);
          if (step.head !== null) copyBytes(to, ofNull);
        }
      }
      copyBytes(to, close);
    },
  };
}

/** Writes a value that is not NULL. */
function* writeCell(step: Step, from: Buffer, cursor: Cursor, to: ByteBuffer, keys: DbValue[]): Steps<void> {
  const { at: offset } = cursor;
  const length = step.long === null ? 0 : (readLength(from, cursor) ?? 0);
  const value = cursor.at;
  cursor.at = offset;
  if (step.long === null || length <= LARGE_BYTES) {
    if (step.isKey) keys.push(readAt(step.read, from, cursor, step.head !== null));
    if (step.head !== null) step.write(from, cursor, to);
    return;
  }
  if (step.isKey) keys.push(yield* digestLargeSteps(from, value, value + length));
  if (step.head !== null)
    yield* writeLong({ long: step.long, needsQuotes: step.needsQuotes }, to, from, value, value + length);
  cursor.at = value + length;
}

/**
 * Returns how large values of the column are written in slices. Returns null if all values must be written at
 * once, because the type in the protocol is not the usual type of the column.
 */
function findLongForm({ long }: FormatColumn, column: WireColumn): LongForm | null {
  if (long === null) return null;
  if (long === 'base64' || long === 'base64_field') return isBytesColumn(column) ? long : null;
  return isTextColumn(column) || column.type === JSON_TYPE ? long : null;
}

const JSON_TYPE = 245;

function makeSteps(
  { columns, readers }: RowLayout,
  format: RowFormat,
  keyColumns: readonly number[],
): Step[] {
  let isFirst = true;
  return columns.map((column, index) => {
    const { isNamed, isCsv } = format.frame;
    const visible = format.columns[index];
    const read = readers[index];
    if (visible === undefined || read === undefined)
      throw new Error('the result does not have the columns of its format');
    const head = visible.isOutput
      ? bytesOf(`${isFirst ? '' : ','}${isNamed ? `${JSON.stringify(visible.name)}:` : ''}`)
      : null;
    if (visible.isOutput) isFirst = false;
    // A column that is neither shown nor a key is read like a key, because reading advances the cursor.
    const isKey = !visible.isOutput || keyColumns.includes(index);
    const write = isCsv ? toWriteField(visible, column, read) : toWriteValue(visible, column, read);
    const { needsQuotes } = visible;
    return { head, read, write, isKey, long: findLongForm(visible, column), needsQuotes };
  });
}

/** The bytes before and after values, by their text. The row writers of all databases share them. */
const textBytes = new Map<string, Buffer>();
const TEXT_BYTES_MAX = 16_384;

/**
 * Returns the bytes of a text in their own memory. A slice of Node's buffer pool would keep 8 KiB alive as
 * long as the writer exists.
 */
function bytesOf(text: string): Buffer {
  const known = textBytes.get(text);
  if (known !== undefined) return known;
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  if (textBytes.size >= TEXT_BYTES_MAX) textBytes.clear();
  textBytes.set(text, bytes);
  return bytes;
}

/** Reads a cell. If the cell is also written, the cursor stays in place, because writing advances it. */
function readAt(read: ReadCell, from: Buffer, cursor: Cursor, isWrittenToo: boolean): DbValue {
  const { at: offset } = cursor;
  const cell = read(from, cursor);
  if (isWrittenToo) cursor.at = offset;
  return cell;
}

/** Copies bytes in a loop, which is faster than a native call for short texts. */
function copyBytes(to: ByteBuffer, text: Buffer): void {
  to.reserve(text.length);
  const { bytes } = to;
  let { at: offset } = to;
  for (let index = 0; index < text.length; index += 1) bytes[offset++] = text[index] as number;
  to.at = offset;
}

function toWriteValue(json: FormatColumn, column: WireColumn, read: ReadCell): WriteValue {
  const { isQuoted } = json;
  switch (json.way) {
    case 'integer':
      return quoted(toWriteInteger(column), isQuoted) ?? byCell(json, read);
    case 'boolean':
      return column.type === 1 ? writeTrue : byCell(json, read);
    case 'day':
      return column.type === 10 ? writeDayAt : byCell(json, read);
    case 'moment':
    case 'moment_utc':
      return isMoment(column) ? toWriteMoment(json, column) : byCell(json, read);
    case 'text':
      return isTextColumn(column) ? writeTextAt : byCell(json, read);
    case 'digits':
      return (
        quoted(column.type === 0 || column.type === 246 ? writeAsItIs : null, isQuoted) ?? byCell(json, read)
      );
    case 'json':
      return column.type === 245 ? writeAsItIs : byCell(json, read);
    case 'base64':
      return isBytesColumn(column) ? writeBase64 : byCell(json, read);
    case 'field':
    case 'harmless_field':
    case 'cell':
      return byCell(json, read);
  }
}

/** Returns a function that writes a value as a CSV field, without the quotes of JSON. */
function toWriteField(visible: FormatColumn, column: WireColumn, read: ReadCell): WriteValue {
  const byWriter = byCell(visible, read);
  switch (visible.way) {
    case 'field':
    case 'harmless_field':
      return isTextColumn(column) ? toWriteText(visible, byWriter) : byWriter;
    case 'day':
      return column.type === 10 ? bare(writeDayAt) : byWriter;
    case 'moment':
    case 'moment_utc':
      return isMoment(column) ? bare(toWriteMoment(visible, column)) : byWriter;
    case 'base64':
      return isBytesColumn(column) ? bare(writeBase64) : byWriter;
    default:
      return toWriteValue(visible, column, read);
  }
}

function bare(write: WriteValue): WriteValue {
  return (from, cursor, to) => {
    const start = to.at;
    write(from, cursor, to);
    dropQuotes(to, start);
  };
}

function toWriteText({ way: format }: FormatColumn, byWriter: WriteValue): WriteValue {
  const mayBeFormula = format === 'field';
  return (from, cursor, to) => {
    const { at: offset } = cursor;
    const length = readLength(from, cursor) ?? 0;
    if (writePlainField(to, from, cursor.at, cursor.at + length, mayBeFormula)) cursor.at += length;
    else {
      cursor.at = offset;
      byWriter(from, cursor, to);
    }
  };
}

/**
 * Returns a function that converts the value as the driver does and writes the result. It is slow, so it is
 * used only for types without a direct way.
 */
function byCell({ write }: FormatColumn, read: ReadCell): WriteValue {
  return (from, cursor, to) => {
    const cell = read(from, cursor);
    to.writeText(cell === null ? 'null' : write(cell));
  };
}

function quoted(write: WriteValue | null, isQuoted: boolean): WriteValue | null {
  if (write === null || !isQuoted) return write;
  return (from, cursor, to) => {
    to.reserve(1);
    to.bytes[to.at++] = QUOTE;
    write(from, cursor, to);
    to.reserve(1);
    to.bytes[to.at++] = QUOTE;
  };
}

function toWriteInteger({ type, isUnsigned }: WireColumn): WriteValue | null {
  switch (type) {
    case 1:
      return isUnsigned
        ? (from, cursor, to) => writeInteger(to, from[cursor.at++] as number)
        : (from, cursor, to) => writeInteger(to, from.readInt8(cursor.at++));
    case 2:
      return sized(
        2,
        isUnsigned ? (from, offset) => from.readUInt16LE(offset) : (from, offset) => from.readInt16LE(offset),
      );
    case 13:
      return sized(2, (from, offset) => from.readUInt16LE(offset));
    case 3:
    case 9:
      return sized(
        4,
        isUnsigned ? (from, offset) => from.readUInt32LE(offset) : (from, offset) => from.readInt32LE(offset),
      );
    case 8:
      return (from, cursor, to) => {
        writeInteger64(to, from, cursor.at, isUnsigned);
        cursor.at += 8;
      };
    default:
      return null;
  }
}

function sized(size: number, read: (from: Buffer, offset: number) => number): WriteValue {
  return (from, cursor, to) => {
    writeInteger(to, read(from, cursor.at));
    cursor.at += size;
  };
}

const TRUE_TEXT = Buffer.from('true', 'latin1');
const FALSE_TEXT = Buffer.from('false', 'latin1');

function writeTrue(from: Buffer, cursor: Cursor, to: ByteBuffer): void {
  copyBytes(to, from[cursor.at++] === 0 ? FALSE_TEXT : TRUE_TEXT);
}

function writeDayAt(from: Buffer, cursor: Cursor, to: ByteBuffer): void {
  writeDay(to, from, cursor.at);
  cursor.at += 1 + (from[cursor.at] as number);
}

function isMoment({ type }: WireColumn): boolean {
  return type === 12 || type === 7;
}

function toWriteMoment({ way: format, fraction }: FormatColumn, { decimals }: WireColumn): WriteValue {
  const form: MomentForm = { fraction, decimals, isUtc: format === 'moment_utc' };
  return (from, cursor, to) => {
    writeMoment(to, from, cursor.at, form);
    cursor.at += 1 + (from[cursor.at] as number);
  };
}

function writeTextAt(from: Buffer, cursor: Cursor, to: ByteBuffer): void {
  const length = readLength(from, cursor) ?? 0;
  writeString(to, from, cursor.at, cursor.at + length);
  cursor.at += length;
}

function writeAsItIs(from: Buffer, cursor: Cursor, to: ByteBuffer): void {
  const length = readLength(from, cursor) ?? 0;
  to.reserve(length);
  from.copy(to.bytes, to.at, cursor.at, cursor.at + length);
  to.at += length;
  to.hasUnchecked = true;
  cursor.at += length;
}

function writeBase64(from: Buffer, cursor: Cursor, to: ByteBuffer): void {
  const length = readLength(from, cursor) ?? 0;
  const text = from.toString('base64', cursor.at, cursor.at + length);
  to.reserve(text.length + 2);
  to.bytes[to.at++] = QUOTE;
  to.at += to.bytes.write(text, to.at, 'latin1');
  to.bytes[to.at++] = QUOTE;
  cursor.at += length;
}

import type { DbValue, ResultColumn } from '../values.js';

/** A position in the bytes of a packet. Reading advances it. */
export interface Cursor {
  at: number;
}
/** The parts of a column definition that determine how its values are encoded. */
export interface WireColumn {
  readonly type: number;
  readonly isUnsigned: boolean;
  readonly isBinary: boolean;
  readonly decimals: number;
}

/**
 * Reads the values of one row of a prepared statement, as `RowSink` expects them. `start` is the byte after
 * the packet's marker.
 */
export type ReadCells = (bytes: Buffer, start: number) => DbValue[];

/**
 * Reads the value at the cursor and advances it. The value is never NULL, because NULLs are marked in the
 * row's bitmap.
 */
export type ReadCell = (bytes: Buffer, cursor: Cursor) => DbValue;

/** The wire format of the rows of a response. */
export interface RowLayout {
  readonly columns: readonly WireColumn[];
  readonly readers: readonly ReadCell[];
  readonly readCells: ReadCells;
  /** A text that is equal for two layouts whose rows are read in the same way. */
  readonly signature: string;
}

const BINARY_CHARSET = 63;
const UNSIGNED_FLAG = 32;
const JSON_TYPE = 245;
const [TYPE_DATE, TYPE_DATETIME, TYPE_TIMESTAMP] = [10, 12, 7];

/** Returns the column as the driver describes it. */
export function readResultColumn(bytes: Buffer, hasMore: boolean): ResultColumn {
  const cursor = { at: 0 };
  skip(bytes, cursor);
  skip(bytes, cursor);
  const [table, orgTable, name, orgName] = [
    readName(bytes, cursor),
    readName(bytes, cursor),
    readName(bytes, cursor),
    readName(bytes, cursor),
  ];
  const more = hasMore ? readMore(bytes, cursor) : { format: '', extendedType: '' };
  const typeCode = bytes[cursor.at + 7] ?? 0;
  return {
    name,
    table,
    orgTable,
    orgName,
    typeCode,
    flags: bytes.readUInt16LE(cursor.at + 8),
    charset: bytes.readUInt16LE(cursor.at + 1),
    length: bytes.readUInt32LE(cursor.at + 3),
    decimals: bytes[cursor.at + 10] ?? 0,
    isJson: more.format === 'json' || typeCode === JSON_TYPE,
    extendedType: more.extendedType,
  };
}

/**
 * Reads the block of pairs that MariaDB adds to a column definition: the name of a type, or the format of its
 * text.
 */
function readMore(bytes: Buffer, cursor: Cursor): { format: string; extendedType: string } {
  const more = { format: '', extendedType: '' };
  const length = readLength(bytes, cursor) ?? 0;
  for (const end = cursor.at + length; cursor.at < end;) {
    const isFormat = bytes[cursor.at++] === 1;
    more[isFormat ? 'format' : 'extendedType'] = readName(bytes, cursor);
  }
  return more;
}

function readName(bytes: Buffer, cursor: Cursor): string {
  return readText(bytes, cursor, 'utf8');
}

/**
 * Reads a column definition.
 *
 * @param hasMore whether MariaDB's block of further types is between names and numbers
 */
export function readWireColumn(bytes: Buffer, start: number, hasMore: boolean): WireColumn {
  const cursor = { at: start };
  // Skips catalog, schema, table, original table, name and original name.
  for (let names = 0; names < 6; names += 1) skip(bytes, cursor);
  let isJson = false;
  if (hasMore) {
    const length = readLength(bytes, cursor) ?? 0;
    isJson = bytes.subarray(cursor.at, cursor.at + length).includes('json', 0, 'latin1');
    cursor.at += length;
  }
  const charset = bytes.readUInt16LE(cursor.at + 1);
  const type = bytes[cursor.at + 7] ?? 0;
  const flags = bytes.readUInt16LE(cursor.at + 8);
  return {
    type,
    isUnsigned: (flags & UNSIGNED_FLAG) !== 0,
    isBinary: charset === BINARY_CHARSET && !isJson && type !== JSON_TYPE,
    decimals: bytes[cursor.at + 10] ?? 0,
  };
}

/**
 * Compiles the functions that read the columns of a row. Returns null if only the driver can read one of the
 * columns. With `takesAll`, the values of such a column are returned as bytes.
 */
export function compileLayout(columns: readonly WireColumn[], takesAll: boolean): RowLayout | null {
  const readers = columns
    .map((column) => readerOf(column) ?? (takesAll ? readBytes : null))
    .filter((reader) => reader !== null);
  if (readers.length < columns.length) return null;
  const signature = columns
    .map(
      ({ type, isUnsigned, isBinary, decimals }) =>
        `${type}${isUnsigned ? 'u' : ''}${isBinary ? 'b' : ''}.${decimals}`,
    )
    .join(' ');
  return { columns, readers, signature, readCells: compileReadCells(readers) };
}

function compileReadCells(read: readonly ReadCell[]): ReadCells {
  const bitmapBytes = (read.length + 9) >> 3;
  const cursor: Cursor = { at: 0 };
  return (bytes, start) => {
    cursor.at = start + bitmapBytes;
    const cells: DbValue[] = [];
    for (let index = 0; index < read.length; index += 1) {
      // The first two bits of a row's NULL bitmap are unused.
      const bit = index + 2;
      const isNull = ((bytes[start + (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0;
      cells.push(isNull ? null : (read[index] as ReadCell)(bytes, cursor));
    }
    return cells;
  };
}

/** Reads one cell of a row, skipping the cells before it. */
export function readCellAt({ readers }: RowLayout, bytes: Buffer, start: number, index: number): DbValue {
  const cursor: Cursor = { at: start + ((readers.length + 9) >> 3) };
  let cell: DbValue = null;
  for (let offset = 0; offset <= index; offset += 1) {
    const bit = offset + 2;
    const isNull = ((bytes[start + (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0;
    cell = isNull ? null : (readers[offset]?.(bytes, cursor) ?? null);
  }
  return cell;
}

/** Returns the cells at `positions`, and NULL for all others. Large cells that are not wanted are skipped. */
export function readCellsAt(
  { columns, readers }: RowLayout,
  bytes: Buffer,
  start: number,
  positions: readonly number[],
): DbValue[] {
  const cursor: Cursor = { at: start + ((readers.length + 9) >> 3) };
  return readers.map((read, offset) => {
    const bit = offset + 2;
    const column = columns[offset];
    if (((bytes[start + (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0 || column === undefined) return null;
    if (positions.includes(offset)) return read(bytes, cursor);
    if (isTextColumn(column) || isBytesColumn(column)) skip(bytes, cursor);
    else read(bytes, cursor);
    return null;
  });
}

function skip(bytes: Buffer, cursor: Cursor): void {
  const length = readLength(bytes, cursor) ?? 0;
  cursor.at += length;
}

/**
 * The functions that read a value, by the type, sign, kind and number of digits of the column. There are few
 * combinations, so the layouts of all databases share these functions.
 */
const readersByColumn = new Map<number, ReadCell | null>();

function readerOf(column: WireColumn): ReadCell | null {
  const name =
    (column.type << 10) | (column.decimals << 2) | (column.isUnsigned ? 2 : 0) | (column.isBinary ? 1 : 0);
  let reader = readersByColumn.get(name);
  if (reader === undefined) readersByColumn.set(name, (reader = toReadCell(column)));
  return reader;
}

const OWN_FORM_TYPES = new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 242, 246, 255]);

/** Returns whether the values are texts, which the server sends as UTF-8. */
export function isTextColumn({ type, isBinary }: WireColumn): boolean {
  return !isBinary && !OWN_FORM_TYPES.has(type);
}

/** Returns whether the values are bytes that the server does not interpret. */
export function isBytesColumn({ type, isBinary }: WireColumn): boolean {
  return isBinary && !OWN_FORM_TYPES.has(type);
}

function toReadCell(column: WireColumn): ReadCell | null {
  const { isUnsigned } = column;
  switch (column.type) {
    case 1:
      return sized(
        1,
        isUnsigned ? (bytes, offset) => bytes[offset] ?? 0 : (bytes, offset) => bytes.readInt8(offset),
      );
    case 2:
      return sized(
        2,
        isUnsigned
          ? (bytes, offset) => bytes.readUInt16LE(offset)
          : (bytes, offset) => bytes.readInt16LE(offset),
      );
    case 13:
      return sized(2, (bytes, offset) => bytes.readUInt16LE(offset));
    case 3:
    case 9:
      return sized(
        4,
        isUnsigned
          ? (bytes, offset) => bytes.readUInt32LE(offset)
          : (bytes, offset) => bytes.readInt32LE(offset),
      );
    case 8:
      return sized(8, isUnsigned ? readUnsigned64 : readSigned64);
    case 4:
      return sized(4, (bytes, offset) => bytes.readFloatLE(offset));
    case 5:
      return sized(8, (bytes, offset) => bytes.readDoubleLE(offset));
    case 0:
    case 246:
      return (bytes, cursor) => readText(bytes, cursor, 'latin1');
    case TYPE_DATE:
    case TYPE_DATETIME:
    case TYPE_TIMESTAMP:
      return (bytes, cursor) => readDateText(bytes, cursor, column);
    case 11:
      return readTimeText;
    case 6:
      return () => null;
    // The driver has its own format for geometry and vector values.
    case 255:
    case 242:
      return null;
    default:
      return column.isBinary ? readBytes : (bytes, cursor) => readText(bytes, cursor, 'utf8');
  }
}

function sized(size: number, read: (bytes: Buffer, offset: number) => DbValue): ReadCell {
  return (bytes, cursor) => {
    const value = read(bytes, cursor.at);
    cursor.at += size;
    return value;
  };
}

const HIGH_EXACT_MAX = 0x1f_ffff;

function readUnsigned64(bytes: Buffer, offset: number): string {
  const high = bytes.readUInt32LE(offset + 4);
  return high <= HIGH_EXACT_MAX
    ? String(high * 4_294_967_296 + bytes.readUInt32LE(offset))
    : String(bytes.readBigUInt64LE(offset));
}

function readSigned64(bytes: Buffer, offset: number): string {
  const high = bytes.readInt32LE(offset + 4);
  return high >= 0 && high <= HIGH_EXACT_MAX
    ? String(high * 4_294_967_296 + bytes.readUInt32LE(offset))
    : String(bytes.readBigInt64LE(offset));
}

function readText(bytes: Buffer, cursor: Cursor, encoding: 'utf8' | 'latin1'): string {
  const length = readLength(bytes, cursor) ?? 0;
  const start = cursor.at;
  cursor.at += length;
  return bytes.toString(encoding, start, cursor.at);
}

function readBytes(bytes: Buffer, cursor: Cursor): Buffer {
  const length = readLength(bytes, cursor) ?? 0;
  const start = cursor.at;
  cursor.at += length;
  return bytes.subarray(start, cursor.at);
}

const pad2 = (value: number): string => (value < 10 ? `0${value}` : String(value));
const pad4 = (value: number): string => String(value).padStart(4, '0');

/**
 * Reads a date as `2026-01-31`, or a date with time as `2026-01-31 13:00:00.000000`. Zero years, months and
 * days are kept.
 */
function readDateText(bytes: Buffer, cursor: Cursor, { type, decimals }: WireColumn): string {
  const length = bytes[cursor.at] ?? 0;
  const offset = cursor.at + 1;
  cursor.at = offset + length;
  let text =
    length < 4
      ? '0000-00-00'
      : `${pad4(bytes.readUInt16LE(offset))}-${pad2(bytes[offset + 2] ?? 0)}-${pad2(bytes[offset + 3] ?? 0)}`;
  if (length > 6)
    text += ` ${pad2(bytes[offset + 4] ?? 0)}:${pad2(bytes[offset + 5] ?? 0)}:${pad2(bytes[offset + 6] ?? 0)}`;
  else if (type !== TYPE_DATE) text += ' 00:00:00';
  if (length > 10)
    text += `.${String(bytes.readUInt32LE(offset + 7))
      .padStart(6, '0')
      .slice(0, decimals > 0 ? decimals : 6)}`;
  return text;
}

/** Reads a time as `[-]hhh:mm:ss[.fraction]`. Trailing zeros of the fraction are removed. */
function readTimeText(bytes: Buffer, cursor: Cursor): string {
  const length = bytes[cursor.at] ?? 0;
  const offset = cursor.at + 1;
  cursor.at = offset + length;
  if (length === 0) return '00:00:00';
  const hours = bytes.readUInt32LE(offset + 1) * 24 + (bytes[offset + 5] ?? 0);
  const micros = length > 8 ? bytes.readUInt32LE(offset + 8) : 0;
  const fraction = micros === 0 ? '' : `.${String(micros).padStart(6, '0').replace(/0+$/, '')}`;
  return `${bytes[offset] === 0 ? '' : '-'}${pad2(hours)}:${pad2(bytes[offset + 6] ?? 0)}:${pad2(bytes[offset + 7] ?? 0)}${fraction}`;
}

/** Reads a length-encoded integer of at most 48 bits. Returns null for the marker of NULL. */
export function readLength(bytes: Buffer, cursor: Cursor): number | null {
  const first = bytes[cursor.at++] ?? 0;
  if (first < 0xfb) return first;
  if (first === 0xfb) return null;
  const size = first === 0xfc ? 2 : first === 0xfd ? 3 : 8;
  const value = size === 8 ? bytes.readUIntLE(cursor.at, 6) : bytes.readUIntLE(cursor.at, size);
  cursor.at += size;
  return value;
}

/** Reads a length-encoded integer of up to 64 bits. Returns its digits. */
export function readDigits(bytes: Buffer, cursor: Cursor): string {
  if (bytes[cursor.at] !== 0xfe) return String(readLength(bytes, cursor) ?? 0);
  const value = bytes.readBigUInt64LE(cursor.at + 1);
  cursor.at += 9;
  return String(value);
}

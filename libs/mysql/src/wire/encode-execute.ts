import type { BindValue } from '../pool-types.js';

const COM_QUERY = 0x03;
const COM_PING = 0x0e;
const COM_STMT_EXECUTE = 0x17;
const TYPE_DOUBLE = 5;
const TYPE_NULL = 6;
const TYPE_LONGLONG = 8;
const TYPE_TINY = 1;
const TYPE_VAR_STRING = 253;
const TYPE_BLOB = 252;
/** Stands in the byte behind the type. */
const UNSIGNED = 0x80_00;
const HEADER_BYTES = 4;
/** Command, statement, cursor flags, iteration count. */
const FIXED_BYTES = 10;
/** Larger ones need several packets, and are no key. */
export const EXECUTE_BYTES_MAX = 1_048_576;
/** Up to here going through a text is cheaper than calling out of JavaScript for it. */
const SHORT_TEXT_MAX = 24;

/**
 * One COM_STMT_EXECUTE with its packet header. Each value goes by the wire type that means just what it is, as
 * `toDriverValues` sends it. Null when it would be longer than `EXECUTE_BYTES_MAX`.
 */
export function encodeExecute(statementId: number, values: readonly BindValue[]): Buffer | null {
  const bitmapBytes = (values.length + 7) >> 3;
  const sizes: number[] = [];
  let length = FIXED_BYTES + (values.length === 0 ? 0 : bitmapBytes + 1 + 2 * values.length);
  for (const value of values) {
    const size = sizeOf(value);
    sizes.push(size);
    length += isCounted(value) ? headBytes(size) + size : size;
  }
  if (length > EXECUTE_BYTES_MAX) return null;
  const to = Buffer.allocUnsafe(HEADER_BYTES + length);
  to.writeUIntLE(length, 0, 3);
  to[3] = 0;
  to[4] = COM_STMT_EXECUTE;
  to.writeUInt32LE(statementId, 5);
  to[9] = 0;
  to.writeUInt32LE(1, 10);
  if (values.length > 0) writeValues(to, HEADER_BYTES + FIXED_BYTES, values, sizes);
  return to;
}

/** One short COM_QUERY in ASCII with its packet header. */
export function encodeCommand(sql: string): Buffer {
  const to = Buffer.allocUnsafe(HEADER_BYTES + 1 + sql.length);
  to.writeUIntLE(1 + sql.length, 0, 3);
  to[3] = 0;
  to[4] = COM_QUERY;
  to.write(sql, HEADER_BYTES + 1, 'latin1');
  return to;
}

/** A COM_PING, which answers with the state of the session. */
export function encodePing(): Buffer {
  return Buffer.from([1, 0, 0, 0, COM_PING]);
}

/** A bitmap of NULLs, the types, the values. */
function writeValues(to: Buffer, start: number, values: readonly BindValue[], sizes: readonly number[]): void {
  let typeAt = start + ((values.length + 7) >> 3);
  to.fill(0, start, typeAt);
  // The types follow: the server keeps none of an earlier call.
  to[typeAt++] = 1;
  let at = typeAt + 2 * values.length;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as BindValue;
    const type = typeOf(value);
    to[typeAt++] = type & 0xff;
    to[typeAt++] = type >> 8;
    if (value === null) to[start + (index >> 3)] = (to[start + (index >> 3)] as number) | (1 << (index & 7));
    at = writeValue(to, at, value, sizes[index] as number);
  }
}

/** Whether the value's length is sent ahead of it. */
function isCounted(value: BindValue): value is string | Uint8Array {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}

/** Bytes of the value itself. */
function sizeOf(value: BindValue): number {
  switch (typeof value) {
    case 'string': return isShortAscii(value) ? value.length : Buffer.byteLength(value);
    case 'boolean': return 1;
    case 'bigint': case 'number': return 8;
    default: return value === null ? 0 : value.length;
  }
}

function isShortAscii(text: string): boolean {
  if (text.length > SHORT_TEXT_MAX) return false;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}

function typeOf(value: BindValue): number {
  switch (typeof value) {
    case 'string': return TYPE_VAR_STRING;
    case 'bigint': return value < 0n ? TYPE_LONGLONG : TYPE_LONGLONG | UNSIGNED;
    case 'number': return isLong(value) ? TYPE_LONGLONG : TYPE_DOUBLE;
    case 'boolean': return TYPE_TINY;
    default: return value === null ? TYPE_NULL : TYPE_BLOB;
  }
}

function isLong(value: number): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}

/** Gives the place behind the value. */
function writeValue(to: Buffer, at: number, value: BindValue, size: number): number {
  switch (typeof value) {
    case 'string': return writeText(to, writeHead(to, at, size), value, size);
    case 'bigint': return value < 0n ? to.writeBigInt64LE(value, at) : to.writeBigUInt64LE(value, at);
    case 'number': return isLong(value) ? writeLong(to, at, value) : to.writeDoubleLE(value, at);
    case 'boolean': return to.writeUInt8(value ? 1 : 0, at);
    default: {
      if (value === null) return at;
      const start = writeHead(to, at, size);
      to.set(value, start);
      return start + size;
    }
  }
}

function writeText(to: Buffer, at: number, text: string, size: number): number {
  // Of as many bytes as characters, all are ASCII.
  if (size > SHORT_TEXT_MAX || size !== text.length) return at + to.write(text, at, 'utf8');
  for (let index = 0; index < size; index += 1) to[at + index] = text.charCodeAt(index);
  return at + size;
}

function writeLong(to: Buffer, at: number, value: number): number {
  to.writeInt32LE(value | 0, at);
  return to.writeInt32LE(Math.floor(value / 4_294_967_296), at + 4);
}

/** Of a length-encoded integer; 8 bytes are never needed below the bound. */
function headBytes(length: number): 1 | 3 | 4 {
  if (length < 251) return 1;
  return length < 65_536 ? 3 : 4;
}

function writeHead(to: Buffer, at: number, length: number): number {
  const head = headBytes(length);
  if (head === 1) return to.writeUInt8(length, at);
  to[at] = head === 3 ? 0xfc : 0xfd;
  return to.writeUIntLE(length, at + 1, head - 1);
}

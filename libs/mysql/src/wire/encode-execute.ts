import { lendBytes, returnBytes } from '../json/byte-buffer.js';
import type { BindValue, DecimalValue } from '../types.js';

const COM_QUERY = 0x03;
const COM_PING = 0x0e;
const COM_STMT_EXECUTE = 0x17;
const TYPE_DOUBLE = 5;
const TYPE_NULL = 6;
const TYPE_LONGLONG = 8;
const TYPE_TINY = 1;
const TYPE_VAR_STRING = 253;
const TYPE_BLOB = 252;
const TYPE_NEWDECIMAL = 246;
/** The flag that marks an unsigned type, in the byte after the type. */
const UNSIGNED = 0x80_00;
const HEADER_BYTES = 4;
/** The size of the command byte, the statement id, the cursor flags and the iteration count. */
const FIXED_BYTES = 10;
/**
 * The maximum size of an EXECUTE packet on a shared connection, in bytes. Other statements wait while it is
 * sent.
 */
export const EXECUTE_BYTES_MAX = 1_048_576;
/**
 * The maximum size of an EXECUTE packet on a connection that no other statement uses. It always fits into one
 * packet of the protocol.
 */
export const PACKET_BYTES_MAX = 15 * 1_048_576;
/**
 * The bytes that are reserved for each value: its type, and either the longest length header or the longest
 * value of fixed size.
 */
const VALUE_BYTES_MIN = 2 + 8;
/** The maximum number of UTF-8 bytes per UTF-16 code unit. */
const UNIT_BYTES_MAX = 3;
/**
 * The maximum length of a text that is written by a loop. For short texts, a loop takes less time than a
 * native call.
 */
const SHORT_TEXT_MAX = 24;
/** A buffer that is reused for packets up to its size. It is used only within synchronous calls. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Encodes a COM_STMT_EXECUTE packet. Each value gets its exact type in the protocol, as in `toDriverValues`.
 * Returns null if the packet would exceed `bytesMax`.
 */
export function encodeExecute(
  statementId: number,
  values: readonly BindValue[],
  bytesMax = EXECUTE_BYTES_MAX,
): Buffer | null {
  const maximum = boundBytes(values, bytesMax);
  if (maximum === -1) return null;
  // The packet is first written to a buffer that is certainly large enough, and then copied. The length of
  // its texts in UTF-8 is only known after writing.
  const isShort = maximum <= scratch.length;
  const to = isShort ? scratch : lendBytes(maximum);
  const end = writePacket(to, statementId, values);
  const packet = end - HEADER_BYTES > bytesMax ? null : Buffer.allocUnsafe(end);
  if (packet !== null) to.copy(packet, 0, 0, end);
  if (!isShort) returnBytes(to);
  return packet;
}

/** Writes the packet and returns the position after it. */
function writePacket(to: Buffer, statementId: number, values: readonly BindValue[]): number {
  to[3] = 0;
  to[4] = COM_STMT_EXECUTE;
  to.writeUInt32LE(statementId, 5);
  to[9] = 0;
  to.writeUInt32LE(1, 10);
  const start = HEADER_BYTES + FIXED_BYTES;
  const end = values.length === 0 ? start : writeValues(to, start, values);
  to.writeUIntLE(end - HEADER_BYTES, 0, 3);
  return end;
}

/**
 * Returns an upper bound of the packet size. Returns -1 if the packet is too long whatever its texts measure
 * in UTF-8.
 */
function boundBytes(values: readonly BindValue[], bytesMax: number): number {
  let minimum = HEADER_BYTES + FIXED_BYTES + 1 + ((values.length + 7) >> 3);
  let more = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as BindValue;
    minimum += VALUE_BYTES_MIN;
    if (typeof value !== 'string')
      minimum += typeof value === 'object' && value !== null ? lengthOf(value) : 0;
    else {
      minimum += value.length;
      more += value.length * (UNIT_BYTES_MAX - 1);
    }
  }
  return minimum > bytesMax + HEADER_BYTES + VALUE_BYTES_MIN * values.length ? -1 : minimum + more;
}

/** Encodes a short ASCII COM_QUERY packet. */
export function encodeCommand(sql: string): Buffer {
  const to = Buffer.allocUnsafe(HEADER_BYTES + 1 + sql.length);
  to.writeUIntLE(1 + sql.length, 0, 3);
  to[3] = 0;
  to[4] = COM_QUERY;
  to.write(sql, HEADER_BYTES + 1, 'latin1');
  return to;
}

/** Encodes a COM_PING packet, whose response contains the session's status. */
export function encodePing(): Buffer {
  return Buffer.from([1, 0, 0, 0, COM_PING]);
}

/** Writes a NULL bitmap, the types and the values. Returns the position after them. */
function writeValues(to: Buffer, start: number, values: readonly BindValue[]): number {
  let typeAt = start + ((values.length + 7) >> 3);
  to.fill(0, start, typeAt);
  // This byte means that the types follow. The server does not reuse the types of an earlier call.
  to[typeAt++] = 1;
  let offset = typeAt + 2 * values.length;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as BindValue;
    const type = typeOf(value);
    to[typeAt++] = type & 0xff;
    to[typeAt++] = type >> 8;
    if (value === null) to[start + (index >> 3)] = (to[start + (index >> 3)] as number) | (1 << (index & 7));
    else offset = writeValue(to, offset, value);
  }
  return offset;
}

function typeOf(value: BindValue): number {
  switch (typeof value) {
    case 'string':
      return TYPE_VAR_STRING;
    case 'bigint':
      return value < 0n ? TYPE_LONGLONG : TYPE_LONGLONG | UNSIGNED;
    case 'number':
      return isLong(value) ? TYPE_LONGLONG : TYPE_DOUBLE;
    case 'boolean':
      return TYPE_TINY;
    default:
      return value === null ? TYPE_NULL : value instanceof Uint8Array ? TYPE_BLOB : TYPE_NEWDECIMAL;
  }
}

function lengthOf(value: Uint8Array | DecimalValue): number {
  return value instanceof Uint8Array ? value.length : value.digits.length;
}

function isLong(value: number): boolean {
  return Number.isSafeInteger(value) && !Object.is(value, -0);
}

/** Writes a value and returns the position after it. */
function writeValue(to: Buffer, offset: number, value: Exclude<BindValue, null>): number {
  switch (typeof value) {
    case 'string':
      return writeText(to, offset, value);
    case 'bigint':
      return value < 0n ? to.writeBigInt64LE(value, offset) : to.writeBigUInt64LE(value, offset);
    case 'number':
      return isLong(value) ? writeLong(to, offset, value) : to.writeDoubleLE(value, offset);
    case 'boolean':
      return to.writeUInt8(value ? 1 : 0, offset);
    default: {
      if (!(value instanceof Uint8Array)) return writeText(to, offset, value.digits);
      const start = writeHead(to, offset, value.length);
      to.set(value, start);
      return start + value.length;
    }
  }
}

function writeText(to: Buffer, offset: number, text: string): number {
  const { length } = text;
  if (length <= SHORT_TEXT_MAX && writeShort(to, offset, text)) return offset + 1 + length;
  // Assumes that the text is ASCII, as most texts are. If the text turns out longer in UTF-8, it is moved to
  // make room for a longer length header.
  const start = offset + headBytes(length);
  const size = to.write(text, start, 'utf8');
  const moved = offset + headBytes(size);
  if (moved !== start) to.copyWithin(moved, start, start + size);
  writeHead(to, offset, size);
  return moved + size;
}

/** Writes a short ASCII text. Returns false if the text is not ASCII; the written bytes are then invalid. */
function writeShort(to: Buffer, offset: number, text: string): boolean {
  to[offset] = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) return false;
    to[offset + 1 + index] = unit;
  }
  return true;
}

function writeLong(to: Buffer, offset: number, value: number): number {
  to.writeInt32LE(value | 0, offset);
  return to.writeInt32LE(Math.floor(value / 4_294_967_296), offset + 4);
}

/**
 * Returns the size of the length header in bytes. A header of 9 bytes is never needed below the size limit.
 */
function headBytes(length: number): 1 | 3 | 4 {
  if (length < 251) return 1;
  return length < 65_536 ? 3 : 4;
}

function writeHead(to: Buffer, offset: number, length: number): number {
  const head = headBytes(length);
  if (head === 1) return to.writeUInt8(length, offset);
  to[offset] = head === 3 ? 0xfc : 0xfd;
  return to.writeUIntLE(length, offset + 1, head - 1);
}

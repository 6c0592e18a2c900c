import { lendBytes, returnBytes } from '../json/shared-bytes.js';
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
/** A statement that shares its connection with others waits for none that is longer. */
export const EXECUTE_BYTES_MAX = 1_048_576;
/** What surely fits into one packet, for a statement that has its connection to itself. */
export const PACKET_BYTES_MAX = 15 * 1_048_576;
/** Its type and the longest head, or the longest value of one size. */
const VALUE_BYTES_MIN = 2 + 8;
/** Of UTF-8, for a unit of UTF-16. */
const UNIT_BYTES_MAX = 3;
/** Up to here going through a text is cheaper than calling out of JavaScript for it. */
const SHORT_TEXT_MAX = 24;
/** Packets up to its size are put together in it: nothing but what is below runs meanwhile. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * One COM_STMT_EXECUTE with its packet header. Each value goes by the wire type that means just what it is, as
 * `toDriverValues` sends it. Null when it would be longer than `bytesMax`.
 */
export function encodeExecute(statementId: number, values: readonly BindValue[], bytesMax = EXECUTE_BYTES_MAX): Buffer | null {
  const most = boundBytes(values, bytesMax);
  if (most === -1) return null;
  // Written where there surely is room, since how long a text is in UTF-8 is known when it is written, and copied from there.
  const isShort = most <= scratch.length;
  const to = isShort ? scratch : lendBytes(most);
  const end = writePacket(to, statementId, values);
  const packet = end - HEADER_BYTES > bytesMax ? null : Buffer.allocUnsafe(end);
  if (packet !== null) to.copy(packet, 0, 0, end);
  if (!isShort) returnBytes(to);
  return packet;
}

/** Gives the place behind the packet. */
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

/** More bytes than the packet takes, or as many; -1 where it is too long whatever its texts are in UTF-8. */
function boundBytes(values: readonly BindValue[], bytesMax: number): number {
  let least = HEADER_BYTES + FIXED_BYTES + 1 + ((values.length + 7) >> 3);
  let more = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as BindValue;
    least += VALUE_BYTES_MIN;
    if (typeof value !== 'string') least += typeof value === 'object' && value !== null ? value.length : 0;
    else {
      least += value.length;
      more += value.length * (UNIT_BYTES_MAX - 1);
    }
  }
  return least > bytesMax + HEADER_BYTES + VALUE_BYTES_MIN * values.length ? -1 : least + more;
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

/** A bitmap of NULLs, the types, the values. Gives the place behind them. */
function writeValues(to: Buffer, start: number, values: readonly BindValue[]): number {
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
    else at = writeValue(to, at, value);
  }
  return at;
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
function writeValue(to: Buffer, at: number, value: Exclude<BindValue, null>): number {
  switch (typeof value) {
    case 'string': return writeText(to, at, value);
    case 'bigint': return value < 0n ? to.writeBigInt64LE(value, at) : to.writeBigUInt64LE(value, at);
    case 'number': return isLong(value) ? writeLong(to, at, value) : to.writeDoubleLE(value, at);
    case 'boolean': return to.writeUInt8(value ? 1 : 0, at);
    default: {
      const start = writeHead(to, at, value.length);
      to.set(value, start);
      return start + value.length;
    }
  }
}

function writeText(to: Buffer, at: number, text: string): number {
  const { length } = text;
  if (length <= SHORT_TEXT_MAX && writeShort(to, at, text)) return at + 1 + length;
  // As if it were ASCII, which most is; what is longer moves by the bytes that its head lacks.
  const start = at + headBytes(length);
  const size = to.write(text, start, 'utf8');
  const moved = at + headBytes(size);
  if (moved !== start) to.copyWithin(moved, start, start + size);
  writeHead(to, at, size);
  return moved + size;
}

/** False where it is not ASCII: what was written counts for nothing. */
function writeShort(to: Buffer, at: number, text: string): boolean {
  to[at] = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) return false;
    to[at + 1 + index] = unit;
  }
  return true;
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

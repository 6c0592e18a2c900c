import type { BindValue } from '../pool-types.js';

const COM_STMT_EXECUTE = 0x17;
const TYPE_DOUBLE = 5;
const TYPE_NULL = 6;
const TYPE_LONGLONG = 8;
const TYPE_TINY = 1;
const TYPE_VAR_STRING = 253;
const TYPE_BLOB = 252;
const UNSIGNED = 0x80;
const HEADER_BYTES = 4;
/** Command, statement, cursor flags, iteration count. */
const FIXED_BYTES = 10;
/** Larger ones need several packets, and are no key. */
export const EXECUTE_BYTES_MAX = 1_048_576;

interface Parameter {
  readonly type: number;
  readonly flag: number;
  readonly bytes: number;
  readonly write: (to: Buffer, at: number) => void;
}

/**
 * One COM_STMT_EXECUTE with its packet header. Each value goes by the wire type that means just what it is, as
 * `toDriverValues` sends it. Null when it would be longer than `EXECUTE_BYTES_MAX`.
 */
export function encodeExecute(statementId: number, values: readonly BindValue[]): Buffer | null {
  const parameters = values.map(toParameter);
  const bitmapBytes = (values.length + 7) >> 3;
  let length = FIXED_BYTES + (values.length === 0 ? 0 : bitmapBytes + 1 + 2 * values.length);
  for (const parameter of parameters) length += parameter.bytes;
  if (length > EXECUTE_BYTES_MAX) return null;
  const to = Buffer.allocUnsafe(HEADER_BYTES + length);
  to.writeUIntLE(length, 0, 3);
  to[3] = 0;
  to[4] = COM_STMT_EXECUTE;
  to.writeUInt32LE(statementId, 5);
  to[9] = 0;
  to.writeUInt32LE(1, 10);
  if (values.length > 0) writeParameters(to, HEADER_BYTES + FIXED_BYTES, bitmapBytes, parameters);
  return to;
}

function writeParameters(to: Buffer, start: number, bitmapBytes: number, parameters: readonly Parameter[]): void {
  to.fill(0, start, start + bitmapBytes);
  let typeAt = start + bitmapBytes;
  // The types follow: the server keeps none of an earlier call.
  to[typeAt++] = 1;
  let valueAt = typeAt + 2 * parameters.length;
  parameters.forEach((parameter, index) => {
    to[typeAt++] = parameter.type;
    to[typeAt++] = parameter.flag;
    if (parameter.type === TYPE_NULL) to[start + (index >> 3)] = (to[start + (index >> 3)] ?? 0) | (1 << (index & 7));
    parameter.write(to, valueAt);
    valueAt += parameter.bytes;
  });
}

const NULL_PARAMETER: Parameter = { type: TYPE_NULL, flag: 0, bytes: 0, write: () => undefined };

function toParameter(value: BindValue): Parameter {
  switch (typeof value) {
    case 'string': return textParameter(value);
    case 'bigint': return { type: TYPE_LONGLONG, flag: value < 0n ? 0 : UNSIGNED, bytes: 8, write: (to, at) => void (value < 0n ? to.writeBigInt64LE(value, at) : to.writeBigUInt64LE(value, at)) };
    case 'number': return numberParameter(value);
    case 'boolean': return { type: TYPE_TINY, flag: 0, bytes: 1, write: (to, at) => void (to[at] = value ? 1 : 0) };
    default: return value === null ? NULL_PARAMETER : bytesParameter(value);
  }
}

function numberParameter(value: number): Parameter {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) return { type: TYPE_DOUBLE, flag: 0, bytes: 8, write: (to, at) => void to.writeDoubleLE(value, at) };
  return {
    type: TYPE_LONGLONG, flag: 0, bytes: 8,
    write(to, at) {
      to.writeInt32LE(value | 0, at);
      to.writeInt32LE(Math.floor(value / 4_294_967_296), at + 4);
    },
  };
}

function textParameter(text: string): Parameter {
  const bytes = Buffer.byteLength(text);
  const head = headBytes(bytes);
  return {
    type: TYPE_VAR_STRING, flag: 0, bytes: head + bytes,
    write(to, at) {
      writeHead(to, at, bytes, head);
      to.write(text, at + head, 'utf8');
    },
  };
}

function bytesParameter(value: Uint8Array): Parameter {
  const head = headBytes(value.length);
  return {
    type: TYPE_BLOB, flag: 0, bytes: head + value.length,
    write(to, at) {
      writeHead(to, at, value.length, head);
      to.set(value, at + head);
    },
  };
}

/** Of a length-encoded integer; 8 bytes are never needed below the bound. */
function headBytes(length: number): 1 | 3 | 4 {
  if (length < 251) return 1;
  return length < 65_536 ? 3 : 4;
}

function writeHead(to: Buffer, at: number, length: number, head: 1 | 3 | 4): void {
  if (head === 1) to[at] = length;
  else {
    to[at] = head === 3 ? 0xfc : 0xfd;
    to.writeUIntLE(length, at + 1, head - 1);
  }
}

import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import type { FormatColumn, LongForm, Steps } from '@rowhouse/schema-model';
import { ByteBuffer } from './byte-buffer.js';
import { JsonChecker } from './json-checker.js';
import { writeStringPart } from './write-string.js';

/**
 * The maximum size of a value or row that is written at once, in bytes. A larger one is written in slices.
 */
export const LARGE_BYTES = 128 * 1024;
/**
 * The number of bytes that are read from a value in one slice. A slice takes less than a millisecond. The
 * number is divisible by 3, so base64 needs no padding between two slices.
 */
export const SLICE_BYTES = 48 * 1024;
/** The number of bytes that are copied or hashed by a native call in one slice. */
const NATIVE_SLICE_BYTES = 256 * 1024;

const [QUOTE, COMMA, RETURN, LINE_END, SPACE, APOSTROPHE] = [0x22, 0x2c, 0x0d, 0x0a, 0x20, 0x27];
const [BACKSLASH, MINUS, PLUS, POINT, ZERO, NINE, LETTER_E] = [0x5c, 0x2d, 0x2b, 0x2e, 0x30, 0x39, 0x65];
const FORMULA_START = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/** The maximum size of one white space character in UTF-8, in bytes. */
const EDGE_BYTES = 8;

type NeedsQuotes = FormatColumn['needsQuotes'];
type WriteLong = (
  to: ByteBuffer,
  from: Buffer,
  start: number,
  end: number,
  needsQuotes: NeedsQuotes,
) => Steps<void>;

/** Writes the bytes from `start` to `end` as one value of the column. Each step is one slice. */
export function writeLong(
  { long, needsQuotes }: { readonly long: LongForm; readonly needsQuotes: NeedsQuotes },
  to: ByteBuffer,
  from: Buffer,
  start: number,
  end: number,
): Steps<void> {
  return WRITERS[long](to, from, start, end, needsQuotes);
}

const WRITERS: Readonly<Record<LongForm, WriteLong>> = {
  text: checked(writeText),
  json: checked((to, from, start, end) => writeJson(to, from, start, end, false)),
  json_line: checked((to, from, start, end) => writeJson(to, from, start, end, true)),
  exact_json: checked((to, from, start, end, needsQuotes) =>
    writeJson(to, from, start, end, false, needsQuotes),
  ),
  exact_json_line: checked((to, from, start, end, needsQuotes) =>
    writeJson(to, from, start, end, true, needsQuotes),
  ),
  base64: function* (to, from, start, end) {
    writeByte(to, QUOTE);
    yield* writeBase64(to, from, start, end);
    writeByte(to, QUOTE);
  },
  field: checked((to, from, start, end) => writeField(to, from, start, end)),
  harmless_field: checked(function* (to, from, start, end) {
    // A character of UTF-8 has at most four bytes.
    if (FORMULA_START.test(from.toString('utf8', start, Math.min(start + 4, end))))
      yield* writeField(
        to,
        Buffer.concat([Buffer.of(APOSTROPHE), from.subarray(start, end)]),
        0,
        end - start + 1,
      );
    else yield* writeField(to, from, start, end);
  }),
  base64_field: writeBase64,
  json_field: checked(function* (to, from, start, end) {
    const json = new ByteBuffer(end - start + 1);
    yield* writeJson(json, from, start, end, false);
    yield* writeField(to, json.bytes, 0, json.at);
  }),
};

/**
 * Wraps a function so that invalid UTF-8 is replaced first, as a text decoder does. Servers do not normally
 * send such text.
 */
function checked(write: WriteLong): WriteLong {
  return (to, from, start, end, needsQuotes) => {
    if (isUtf8(from.subarray(start, end))) return write(to, from, start, end, needsQuotes);
    const bytes = Buffer.from(from.toString('utf8', start, end), 'utf8');
    return write(to, bytes, 0, bytes.length, needsQuotes);
  };
}

function* writeText(to: ByteBuffer, from: Buffer, start: number, end: number): Steps<void> {
  writeByte(to, QUOTE);
  for (let offset = start; offset < end; offset += SLICE_BYTES) {
    writeStringPart(to, from, offset, Math.min(offset + SLICE_BYTES, end));
    yield;
  }
  writeByte(to, QUOTE);
}

/**
 * Writes a JSON value as it is stored. If a JSON column contains text that is not JSON, the text is written
 * as a string.
 */
function* writeJson(
  to: ByteBuffer,
  from: Buffer,
  start: number,
  end: number,
  isLine: boolean,
  needsQuotes: NeedsQuotes | null = null,
): Steps<void> {
  const checker = new JsonChecker();
  for (
    let offset = start;
    offset < end && checker.feed(from, offset, Math.min(offset + SLICE_BYTES, end));
    offset += SLICE_BYTES
  )
    yield;
  if (!checker.isComplete()) return yield* writeText(to, from, start, end);
  if (needsQuotes !== null) yield* copyExact(to, from, start, end, isLine, needsQuotes);
  else yield* copySlices(to, from, start, end, isLine);
}

/** Writes valid JSON. A number that a double cannot represent exactly is written as a string. */
function* copyExact(
  to: ByteBuffer,
  from: Buffer,
  start: number,
  end: number,
  isLine: boolean,
  needsQuotes: NeedsQuotes,
): Steps<void> {
  let [offset, isText] = [start, false];
  while (offset < end) {
    const [first, copied] = [to.at, offset];
    let next = copied;
    for (const sliceEnd = Math.min(offset + SLICE_BYTES, end); offset < sliceEnd;) {
      const byte = from[offset] as number;
      if (byte === QUOTE) isText = !isText;
      // An escaped quote does not end the string.
      if (isText && byte === BACKSLASH) offset += 1;
      if (isText || !isNumberByte(byte)) offset += 1;
      else {
        const numberEnd = endOfNumber(from, offset, end);
        if (needsQuotes(from.toString('latin1', offset, numberEnd))) {
          copyBytes(to, from, next, offset);
          writeByte(to, QUOTE);
          copyBytes(to, from, offset, numberEnd);
          writeByte(to, QUOTE);
          next = numberEnd;
        }
        offset = numberEnd;
      }
    }
    copyBytes(to, from, next, Math.min(offset, end));
    if (isLine) blankLineEnds(to.bytes.subarray(first, to.at));
    yield;
  }
  to.hasUnchecked = true;
}

function isNumberByte(byte: number): boolean {
  return (byte >= ZERO && byte <= NINE) || byte === MINUS;
}

function endOfNumber(from: Buffer, start: number, end: number): number {
  let offset = start + 1;
  for (; offset < end; offset += 1) {
    const byte = from[offset] as number;
    if (!isNumberByte(byte) && byte !== POINT && byte !== PLUS && (byte | 0x20) !== LETTER_E) break;
  }
  return offset;
}

function copyBytes(to: ByteBuffer, from: Buffer, start: number, end: number): void {
  to.reserve(end - start);
  to.at += from.copy(to.bytes, to.at, start, end);
}

function* copySlices(to: ByteBuffer, from: Buffer, start: number, end: number, isLine = false): Steps<void> {
  to.reserve(end - start);
  for (let offset = start; offset < end; offset += NATIVE_SLICE_BYTES) {
    const first = to.at;
    to.at += from.copy(to.bytes, first, offset, Math.min(offset + NATIVE_SLICE_BYTES, end));
    if (isLine) blankLineEnds(to.bytes.subarray(first, to.at));
    yield;
  }
  to.hasUnchecked = true;
}

/** Replaces line breaks with spaces. In JSON, they only occur as white space between tokens. */
function blankLineEnds(bytes: Buffer): void {
  for (const end of [LINE_END, RETURN]) {
    for (let offset = bytes.indexOf(end); offset !== -1; offset = bytes.indexOf(end, offset + 1))
      bytes[offset] = SPACE;
  }
}

function* writeBase64(to: ByteBuffer, from: Buffer, start: number, end: number): Steps<void> {
  for (let offset = start; offset < end; offset += SLICE_BYTES) {
    const text = from.toString('base64', offset, Math.min(offset + SLICE_BYTES, end));
    to.reserve(text.length);
    to.at += to.bytes.write(text, to.at, 'latin1');
    yield;
  }
}

/** Writes a CSV field. It is quoted in the same cases in which `quoteCsv` quotes a text. */
function* writeField(to: ByteBuffer, from: Buffer, start: number, end: number): Steps<void> {
  let isQuoted =
    /^\s/.test(from.toString('utf8', start, start + EDGE_BYTES)) ||
    /\s$/.test(from.toString('utf8', end - EDGE_BYTES, end));
  for (let offset = start; offset < end && !isQuoted; offset += SLICE_BYTES) {
    isQuoted = hasBreak(from, offset, Math.min(offset + SLICE_BYTES, end));
    yield;
  }
  if (!isQuoted) return yield* copySlices(to, from, start, end);
  writeByte(to, QUOTE);
  for (let offset = start; offset < end; offset += SLICE_BYTES) {
    copyDoubled(to, from, offset, Math.min(offset + SLICE_BYTES, end));
    yield;
  }
  writeByte(to, QUOTE);
  to.hasUnchecked = true;
}

function hasBreak(from: Buffer, start: number, end: number): boolean {
  for (let offset = start; offset < end; offset += 1) {
    const byte = from[offset];
    if (byte === QUOTE || byte === COMMA || byte === RETURN || byte === LINE_END) return true;
  }
  return false;
}

function copyDoubled(to: ByteBuffer, from: Buffer, start: number, end: number): void {
  to.reserve((end - start) * 2);
  const { bytes } = to;
  let out = to.at;
  for (let offset = start; offset < end; offset += 1) {
    const byte = from[offset] as number;
    if (byte === QUOTE) bytes[out++] = QUOTE;
    bytes[out++] = byte;
  }
  to.at = out;
}

function writeByte(to: ByteBuffer, byte: number): void {
  to.reserve(1);
  to.bytes[to.at++] = byte;
}

/** Returns the digest that is used for a large value when versions of a record are compared. */
export function digestLarge(bytes: Uint8Array): string {
  return toDigest(createHash('sha256').update(bytes));
}

/**
 * Computes the digest of the bytes from `start` to `end` in slices. The result equals that of `digestLarge`.
 */
export function* digestLargeSteps(from: Uint8Array, start = 0, end = from.length): Steps<string> {
  const hash = createHash('sha256');
  for (let offset = start; offset < end; offset += NATIVE_SLICE_BYTES) {
    hash.update(from.subarray(offset, Math.min(offset + NATIVE_SLICE_BYTES, end)));
    yield;
  }
  return toDigest(hash);
}

function toDigest(hash: ReturnType<typeof createHash>): string {
  return `sha256:${hash.digest('base64url')}`;
}

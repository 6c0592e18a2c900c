import { AppError } from '@rowhouse/errors';
import type { RowsFormat } from '../request/api-request.js';

/** One record of a body, not yet parsed. */
export interface RawRecord {
  /** The text of the record without its line end, or null if the record is not valid UTF-8. */
  readonly text: string | null;
  readonly bytes: number;
  /** The number of the line on which the record starts, counted from 1. */
  readonly line: number;
  /**
   * The number of the line on which the record ends. A CSV record can have several lines, because fields may
   * contain line ends.
   */
  readonly lastLine: number;
  /** The reason why the record cannot be read completely, or null. If there is a reason, `text` is empty. */
  readonly fault: RecordFault | null;
}

export interface RecordFault {
  readonly msg: string;
  readonly type: string;
}

/**
 * Accepts a body in chunks of any size and returns the records that are complete. Only the bytes of an
 * incomplete record are retained between chunks.
 */
export interface RecordSplitter {
  push(bytes: Uint8Array): RawRecord[];
  /** Returns the last record if it has no line end. The caller must call `end` after the last chunk. */
  end(): RawRecord[];
  /** Returns the number of bytes retained for the incomplete record. */
  heldBytes(): number;
}

const NEW_LINE = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const EMPTY = new Uint8Array(0);
const MARK_LENGTH = 3;

/** The position of the next byte within a CSV record. */
type SplitterState = 'field_start' | 'plain' | 'quoted' | 'behind_quote';

/**
 * Creates a splitter. Line ends, quotes and commas are single bytes everywhere in UTF-8, so records are found
 * before they are decoded. `decodeUtf8` returns null for invalid bytes. If `openUtf8` is given, a long record
 * is decoded chunk by chunk as it arrives.
 */
export function createRecordSplitter(
  format: RowsFormat,
  recordBytesMax: number,
  decodeUtf8: (bytes: Uint8Array) => string | null,
  openUtf8: OpenUtf8 | null = null,
): RecordSplitter {
  let record: Uint8Array = EMPTY;
  /** The decoded part of a long record. */
  let long: LongText | null = null;
  let length = 0;
  let isTooLong = false;
  let line = 1;
  let firstLine = 1;
  let position: SplitterState = 'field_start';
  /** The first bytes until there are enough of them to detect a byte order mark, and null from then on. */
  let head: Uint8Array | null = EMPTY;

  function keep(bytes: Uint8Array): void {
    if (bytes.length === 0 || isTooLong) return;
    const lengthBefore = length;
    length += bytes.length;
    isTooLong = length > recordBytesMax;
    if (isTooLong) [record, long] = [EMPTY, null];
    else if (long !== null) long.push(bytes);
    else {
      record = append(record, lengthBefore, bytes);
      if (length > LONG_BYTES_MIN && openUtf8 !== null)
        [long, record] = [openLongText(openUtf8(), record.subarray(0, length)), EMPTY];
    }
  }

  function take(isEnd: boolean): RawRecord {
    const fault = findFault(isEnd);
    const text =
      fault !== null
        ? ''
        : long === null
          ? decodeUtf8(withoutReturn(record.subarray(0, length)))
          : long.end();
    const taken: RawRecord = { text, bytes: length, line: firstLine, lastLine: line, fault };
    record = EMPTY;
    long = null;
    length = 0;
    isTooLong = false;
    position = 'field_start';
    return taken;
  }

  function findFault(isEnd: boolean): RecordFault | null {
    if (isEnd && position === 'quoted')
      return { msg: 'A quoted field of this record has no closing quote.', type: 'csv_quote' };
    if (isTooLong)
      return {
        msg:
          `A record can have at most ${recordBytesMax} ` +
          `bytes${position === 'quoted' ? ': is a quote missing?' : '.'}`,
        type: 'record_too_long',
      };
    return null;
  }

  /**
   * Reports whether the next line starts a new record. Within quotes, a record longer than the size limit
   * ends at the line end. Otherwise an unclosed quote would make the rest of the body one record.
   */
  function isRecordEnd(): boolean {
    return format === 'ndjson' || position !== 'quoted' || isTooLong;
  }

  /**
   * Reports whether the line is blank. NDJSON ignores blank lines. A body may consist of blank lines only.
   */
  function isBlank(lineBytes: number): boolean {
    return format === 'ndjson' && lineBytes === 0 && length === 0 && !isTooLong;
  }

  function step(byte: number): void {
    if (position === 'quoted') {
      if (byte === QUOTE) position = 'behind_quote';
    } else if (byte === COMMA) position = 'field_start';
    else if (byte === QUOTE && position !== 'plain') position = 'quoted';
    else position = 'plain';
  }

  function split(bytes: Uint8Array): RawRecord[] {
    const records: RawRecord[] = [];
    let start = 0;
    for (let index = next(bytes, 0); index < bytes.length; index = next(bytes, index + 1)) {
      if (bytes[index] !== NEW_LINE) {
        step(bytes[index] ?? 0);
        continue;
      }
      if (isBlank(index - start)) {
        start = index + 1;
        firstLine = line + 1;
      } else if (isRecordEnd()) {
        keep(bytes.subarray(start, index));
        records.push(take(false));
        start = index + 1;
        firstLine = line + 1;
      } else if (length + index - start > recordBytesMax) isTooLong = true;
      line += 1;
    }
    // Copies the bytes, so that the chunk can be freed once its records are done.
    keep(bytes.slice(start));
    return records;
  }

  /**
   * Returns the position of the next byte that can end a record or change the state. For NDJSON, this is the
   * next line end.
   */
  function next(bytes: Uint8Array, index: number): number {
    if (format === 'csv') return index;
    const found = bytes.indexOf(NEW_LINE, index);
    return found < 0 ? bytes.length : found;
  }

  return {
    push(provided) {
      if (head === null) return split(provided);
      head = append(head, head.length, provided).subarray(0, head.length + provided.length);
      if (head.length < MARK_LENGTH) return [];
      const first = withoutMark(head);
      head = null;
      return split(first);
    },
    end() {
      const records = head === null ? [] : split(withoutMark(head));
      head = EMPTY;
      return length === 0 && !isTooLong ? records : [...records, take(true)];
    },
    heldBytes: () => (isTooLong ? 0 : length),
  };
}

/** Records longer than this are decoded as they arrive. */
const LONG_BYTES_MIN = 256 * 1024;

/**
 * Opens a decoder for chunks that may be cut within a character. The decoder returns null for invalid UTF-8.
 * `isLast` marks the final chunk.
 */
export type OpenUtf8 = () => (chunk: Uint8Array, isLast: boolean) => string | null;

interface LongText {
  push(bytes: Uint8Array): void;
  /** Returns the text without a trailing carriage return, or null for invalid UTF-8. */
  end(): string | null;
}

function openLongText(decode: ReturnType<OpenUtf8>, first: Uint8Array): LongText {
  const texts: string[] = [];
  let isUtf8 = true;
  const push = (bytes: Uint8Array, isLast: boolean): void => {
    const text = isUtf8 ? decode(bytes, isLast) : null;
    isUtf8 = text !== null;
    if (text !== null) texts.push(text);
  };
  push(first, false);
  return {
    push: (bytes) => push(bytes, false),
    end() {
      push(EMPTY, true);
      const text = isUtf8 ? texts.join('') : null;
      return text?.endsWith('\r') === true ? text.slice(0, -1) : text;
    },
  };
}

/**
 * Appends bytes to a buffer that doubles when it is full. Without doubling, a record that arrives byte by
 * byte would be copied for each byte. The first bytes are not copied.
 */
function append(buffer: Uint8Array, length: number, bytes: Uint8Array): Uint8Array {
  if (length === 0) return bytes;
  const needed = length + bytes.length;
  let target = buffer;
  if (needed > buffer.length) {
    target = new Uint8Array(Math.max(needed, 2 * buffer.length));
    target.set(buffer.subarray(0, length));
  }
  target.set(bytes, length);
  return target;
}

function withoutReturn(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === RETURN ? bytes.subarray(0, -1) : bytes;
}

/** Removes a UTF-8 byte order mark. Throws for a UTF-16 byte order mark, because UTF-16 is not supported. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  const [first, second, third] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw notUtf8('The body is UTF-16.');
  return first === 0xef && second === 0xbb && third === 0xbf ? bytes.subarray(3) : bytes;
}

function notUtf8(detail: string): AppError {
  return new AppError('request.unsupported_type', {
    detail,
    hint: 'Convert the file to UTF-8, for example with iconv -f UTF-16 -t UTF-8.',
  });
}

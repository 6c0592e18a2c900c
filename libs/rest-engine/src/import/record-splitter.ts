import { AppError } from '@rowhouse/errors';
import type { RowsFormat } from '../request/api-request.js';

/** One record of a body, before it is parsed. */
export interface RawRecord {
  /** The text of the record without the line break at its end. Null if the record is not valid UTF-8. */
  readonly text: string | null;
  readonly bytes: number;
  /** The number of the line on which the record starts, counted from 1. */
  readonly line: number;
  /**
   * The number of the line on which the record ends. A CSV record can have several lines, because its fields
   * may contain line breaks.
   */
  readonly lastLine: number;
  /** The reason why the record cannot be read. Null if it was read. If there is a reason, `text` is empty. */
  readonly fault: RecordFault | null;
}

export interface RecordFault {
  readonly msg: string;
  readonly type: string;
}

/**
 * Splits a body that arrives in chunks of any size into records. Between chunks, only the bytes of an
 * incomplete record are retained.
 */
export interface RecordSplitter {
  push(bytes: Uint8Array): RawRecord[];
  /** Returns the last record if no line break follows it. The caller must call `end` after the last chunk. */
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

/** The state of the splitter inside a CSV record: what the next byte belongs to. */
type SplitterState = 'field_start' | 'plain' | 'quoted' | 'behind_quote';

/**
 * Creates a splitter. In UTF-8, the bytes of line breaks, quotes and commas never occur in other characters,
 * so records are split before they are decoded. `decodeUtf8` returns null for invalid bytes. If `openUtf8` is
 * given, long records are decoded chunk by chunk as they arrive.
 */
export function createRecordSplitter(
  format: RowsFormat,
  recordBytesMax: number,
  decodeUtf8: (bytes: Uint8Array) => string | null,
  openUtf8: OpenUtf8 | null = null,
): RecordSplitter {
  let record: Uint8Array = EMPTY;
  /** The text of a long record, as far as it is decoded. */
  let long: LongText | null = null;
  let length = 0;
  let isTooLong = false;
  let line = 1;
  let firstLine = 1;
  let position: SplitterState = 'field_start';
  /** The first bytes of the body, until there are enough to detect a byte order mark. Null after that. */
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
   * Reports whether a line break at this position ends the record. A record that exceeds the size limit ends
   * even inside quotes. Otherwise, an unclosed quote would make the rest of the body one record.
   */
  function isRecordEnd(): boolean {
    return format === 'ndjson' || position !== 'quoted' || isTooLong;
  }

  /**
   * Reports whether the line is blank. Blank lines in NDJSON are ignored, and a body may consist of blank
   * lines only.
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
    // The bytes are copied, so that the chunk can be freed.
    keep(bytes.slice(start));
    return records;
  }

  /**
   * Returns the position of the next byte that can end a record or change the splitter's state. For NDJSON,
   * this is the next line break.
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

/** The size in bytes from which a record is decoded while it arrives. */
const LONG_BYTES_MIN = 256 * 1024;

/**
 * Creates a decoder for chunks that may begin or end inside a character. The decoder returns null for invalid
 * UTF-8. `isLast` marks the final chunk.
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
 * Appends bytes to a buffer whose size is doubled when it is full. Otherwise, a record that arrives byte by
 * byte would be copied for each byte. The first chunk is used as the buffer without a copy.
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

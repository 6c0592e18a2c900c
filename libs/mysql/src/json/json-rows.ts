import { isUtf8 } from 'node:buffer';
import { AppError } from '@rowhouse/errors';
import type { RowFormat, Steps } from '@rowhouse/schema-model';
import type { DbValue } from '../types.js';
import type { RowLayout } from '../wire/row-layout.js';
import { ByteBuffer, returnBytes } from './byte-buffer.js';
import { LARGE_BYTES } from './large-value.js';
import { rowWriterFor, type RowWriter } from './row-writer.js';

const BYTES_FIRST_MAX = 1_048_576;
const [OPEN, CLOSE, COMMA, BRACE] = [0x5b, 0x5d, 0x2c, 0x7d];

/**
 * The size that is assumed for delayed rows in the response, as a multiple of their bytes in the protocol. A
 * value may be longer in JSON; on the other hand, some values are only read as keys.
 */
const LATE_SHARE_MAX = 2;

interface LateRow {
  readonly from: Buffer;
  readonly start: number;
}

/** Records of another result that are embedded in a response. */
export interface EmbeddedRecords {
  readonly rowCount: number;
  /** Returns the members of a record without its braces: `"id":1,"title":"x"`. */
  membersText(row: number): string;
  /**
   * Returns the UTF-8 bytes `{…},{…}` of `count` records, starting at the record `from`. Returns null if the
   * result has no bytes. The bytes must not be retained.
   */
  recordBytes(from: number, count: number): Uint8Array | null;
  release(): void;
}

/** Receives the parts of a JSON response in order. */
export interface JsonSink {
  text(text: string): void;
  /** Writes `count` records of `result`, starting at the record `from`. Returns their length in bytes. */
  records(result: EmbeddedRecords, from: number, count: number): number;
}

/** Writes the rows of one result as a JSON array while they arrive. */
export class JsonRows {
  rowCount = 0;
  readonly #writer: RowWriter;
  #to: ByteBuffer;
  readonly #bytesMax: number;
  /** The position at which each row starts, and the position for the next row. */
  readonly #starts: number[] = [1];
  readonly #keys: DbValue[] = [];
  /** The rows that are not written yet. These are the first large row and all rows after it. */
  #late: LateRow[] = [];
  #lateBytes = 0;

  constructor(layout: RowLayout, format: RowFormat, bytesMax: number) {
    this.#writer = rowWriterFor(layout, format);
    this.#to = new ByteBuffer(Math.min(BYTES_FIRST_MAX, this.#writer.bytesExpected + 64));
    this.#bytesMax = bytesMax;
    this.#to.bytes[this.#to.at++] = OPEN;
  }

  /**
   * Reads the row that starts at `start`. A large row, and all rows after it, are written later by
   * `lateSteps`. Throws `limit.response_size`.
   */
  row(from: Buffer, start: number, end: number): void {
    this.rowCount += 1;
    if (end - start > LARGE_BYTES || this.#late.length > 0) return this.#postpone(from, start, end);
    this.#writer.write(from, start, this.#to, this.#keys);
    this.#endRow();
  }

  /** The number of bytes written. */
  get byteLength(): number {
    return this.#to.at;
  }

  /** Records the size of the result. Called after the last row. */
  end(): void {
    this.#writer.bytesExpected = this.#to.at;
  }

  /** Whether delayed rows are waiting for `lateSteps`. */
  get isLate(): boolean {
    return this.#late.length > 0;
  }

  /**
   * Writes the delayed rows, one slice in each step. Returns null without delayed rows. Except for
   * `rowCount`, nothing may be used before this is done.
   */
  lateSteps(): Steps<void> | null {
    return this.isLate ? this.#writeLate() : null;
  }

  #postpone(from: Buffer, start: number, end: number): void {
    this.#late.push({ from, start });
    this.#lateBytes += end - start;
    if (this.#to.at + this.#lateBytes > this.#bytesMax * LATE_SHARE_MAX)
      throw new AppError('limit.response_size');
  }

  *#writeLate(): Steps<void> {
    const late = this.#late;
    this.#late = [];
    this.#to.reserve(Math.min(this.#lateBytes, this.#bytesMax) + LARGE_BYTES);
    for (const { from, start } of late) {
      for (const _slice of this.#writer.writeSteps(from, start, this.#to, this.#keys)) {
        if (this.#to.at > this.#bytesMax) throw new AppError('limit.response_size');
        yield;
      }
      this.#endRow();
    }
  }

  #endRow(): void {
    const to = this.#to;
    if (to.at > this.#bytesMax) throw new AppError('limit.response_size');
    to.reserve(1);
    to.bytes[to.at++] = COMMA;
    this.#starts.push(to.at);
  }

  /** Returns the members of a row without its braces. */
  membersText(row: number): string {
    return this.#to.bytes.toString('utf8', (this.#starts[row] ?? 0) + 1, (this.#starts[row + 1] ?? 0) - 2);
  }

  /** Returns the value of a key column in a row. `keyIndex` is an index into the format's keys. */
  keyCell(row: number, keyIndex: number): DbValue {
    const { keysPerRow, keyPlaces } = this.#writer;
    return this.#keys[row * keysPerRow + (keyPlaces[keyIndex] ?? 0)] ?? null;
  }

  /**
   * Returns `[{…},{…}]` with the first `rows` rows. May be called once. After the bytes were sent, the caller
   * may pass them to `returnBytes`, so nothing else may retain them.
   */
  arrayBytes(rows: number): Buffer {
    const visible = Math.min(rows, this.rowCount);
    const { bytes, hasUnchecked } = this.#to;
    // Overwrites the comma after the last row. Without a row, the byte after the opening bracket is
    // free.
    const end = visible <= 0 ? 1 : (this.#starts[visible] ?? 0) - 1;
    bytes[end] = CLOSE;
    return toText(bytes.subarray(0, end + 1), hasUnchecked);
  }

  /**
   * Returns the bytes `{…},{…}` of `count` rows, starting at the row `from`. Returns null if the bytes may be
   * invalid UTF-8. They must not be used after `release`.
   */
  recordBytes(from: number, count: number): Buffer | null {
    const bytes = this.#to.bytes.subarray(this.#starts[from] ?? 0, (this.#starts[from + count] ?? 1) - 1);
    return this.#to.hasUnchecked && !isUtf8(bytes) ? null : bytes;
  }

  /** Releases the memory of the rows for reuse. */
  release(): void {
    returnBytes(this.#to.bytes);
    this.#to = EMPTY;
    this.#starts.length = 0;
    this.#late = [];
    this.rowCount = 0;
  }

  /**
   * Returns what `arrayBytes` returns for all rows, of which there must be at least one, followed by the rows
   * of `others`. Afterwards, only keys may be read.
   */
  arrayBytesAnd(others: readonly EmbeddedRecords[]): Buffer {
    const to = this.#to;
    const sink = new BytesSink(to);
    for (const other of others) {
      if (other.rowCount === 0) continue;
      sink.records(other, 0, other.rowCount);
      to.reserve(1);
      to.bytes[to.at++] = COMMA;
      other.release();
    }
    // Overwrites the comma after the last row.
    to.bytes[to.at - 1] = CLOSE;
    return toText(to.bytes.subarray(0, to.at), to.hasUnchecked);
  }

  /**
   * Returns what `arrayBytes` returns, with additional members (`"name":value`) in each row. Afterwards, only
   * keys may be read.
   */
  arrayBytesWith(rows: number, addMembers: (row: number, to: JsonSink) => void): Buffer {
    const visible = Math.min(rows, this.rowCount);
    const { bytes, hasUnchecked } = this.#to;
    const array = new ByteBuffer(Math.max(this.#writer.bytesExpectedWith, this.#to.at) + 64);
    const to = new BytesSink(array);
    array.bytes[array.at++] = OPEN;
    for (let row = 0; row < visible; row += 1) {
      // The row without its closing brace and the comma after it.
      const [start, end] = [this.#starts[row] ?? 0, (this.#starts[row + 1] ?? 0) - 2];
      array.reserve(end - start + 3);
      array.at += bytes.copy(array.bytes, array.at, start, end);
      if (end > start + 1) array.bytes[array.at++] = COMMA;
      addMembers(row, to);
      array.reserve(2);
      array.bytes[array.at++] = BRACE;
      if (row < visible - 1) array.bytes[array.at++] = COMMA;
    }
    array.reserve(1);
    array.bytes[array.at++] = CLOSE;
    this.#writer.bytesExpectedWith = array.at;
    this.release();
    return toText(array.bytes.subarray(0, array.at), hasUnchecked);
  }
}

/** The buffer of a result whose memory was released. */
const EMPTY = new ByteBuffer(0);

/** Assembles a response as bytes. */
class BytesSink implements JsonSink {
  readonly #to: ByteBuffer;

  constructor(to: ByteBuffer) {
    this.#to = to;
  }

  text(text: string): void {
    this.#to.writeText(text);
  }

  records(result: EmbeddedRecords, from: number, count: number): number {
    const bytes = result.recordBytes(from, count);
    const to = this.#to;
    const { at: offset } = to;
    if (bytes === null) {
      for (let row = from; row < from + count; row += 1)
        to.writeText(`${row === from ? '' : ','}{${result.membersText(row)}}`);
    } else {
      to.reserve(bytes.length);
      to.bytes.set(bytes, to.at);
      to.at += bytes.length;
    }
    return to.at - offset;
  }
}

/**
 * Makes the bytes valid UTF-8. If some were copied without a check and are invalid, they are replaced as a
 * text decoder does.
 */
function toText(bytes: Buffer, hasUnchecked: boolean): Buffer {
  return hasUnchecked && !isUtf8(bytes) ? Buffer.from(bytes.toString('utf8'), 'utf8') : bytes;
}

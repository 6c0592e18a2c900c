import { isUtf8 } from 'node:buffer';
import type { RowFormat, Steps } from '@rowhouse/schema-model';
import type { DbValue } from '../types.js';
import { readCellsAt, type RowLayout } from '../wire/row-layout.js';
import { ByteBuffer } from './byte-buffer.js';
import { rowWriterFor, type RowWriter } from './row-writer.js';

const BYTES_FIRST = 16 * 1024;

/** Returns the text that ends a row's line. `keys` are the retained cells of the row. */
export type LineTail = (keys: readonly DbValue[]) => string;

/** Writes rows as lines of text into one reusable buffer. The format defines how each line ends. */
export class RowLines {
  readonly #layout: RowLayout;
  readonly #writer: RowWriter;
  readonly #keys: readonly number[];
  readonly #tail: LineTail | null;
  readonly #to = new ByteBuffer(BYTES_FIRST);
  #last: { readonly bytes: Buffer; readonly start: number } | null = null;

  /** With `tail`, the format leaves the lines open, and `tail` returns the end of each line. */
  constructor(layout: RowLayout, format: RowFormat, tail: LineTail | null = null) {
    this.#tail = tail;
    this.#layout = layout;
    this.#writer = rowWriterFor(layout, format);
    this.#keys = format.keys;
  }

  /** Writes the row that starts at `start`. */
  row(from: Buffer, start: number): void {
    const keyCells: DbValue[] = [];
    this.#writer.write(from, start, this.#to, keyCells);
    this.#end(keyCells);
    this.#last = { bytes: from, start };
  }

  /** Writes a large row, one slice in each step. The text written so far may be taken between two steps. */
  *rowSteps(from: Buffer, start: number): Steps<void> {
    const keyCells: DbValue[] = [];
    yield* this.#writer.writeSteps(from, start, this.#to, keyCells);
    this.#end(keyCells);
    this.#last = { bytes: from, start };
  }

  #end(keyCells: readonly DbValue[]): void {
    if (this.#tail !== null)
      this.#to.writeText(this.#tail(this.#writer.keyPlaces.map((position) => keyCells[position] ?? null)));
  }

  /** Returns the number of bytes that `take` has not returned yet. */
  waiting(): number {
    return this.#to.at;
  }

  /** Returns the bytes written since the last call. They must be used before the next row is written. */
  take(): Buffer {
    const to = this.#to;
    const lines = to.bytes.subarray(0, to.at);
    const isComplete = !to.hasUnchecked || isUtf8(lines);
    to.at = 0;
    to.hasUnchecked = false;
    return isComplete ? lines : Buffer.from(lines.toString('utf8'), 'utf8');
  }

  /**
   * Returns the key values of the last row, and NULL in place of all other values. Returns null before the
   * first row.
   */
  lastKeys(): DbValue[] | null {
    return this.#last === null
      ? null
      : readCellsAt(this.#layout, this.#last.bytes, this.#last.start, this.#keys);
  }
}

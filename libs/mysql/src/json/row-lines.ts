import { isUtf8 } from 'node:buffer';
import type { LineTail, RowFormat } from '@rowhouse/rest-engine';
import type { Steps } from '@rowhouse/schema-model';
import type { DbValue } from '../pool-types.js';
import { readCellsAt, type RowLayout } from '../wire/row-layout.js';
import { ByteBuffer } from './byte-buffer.js';
import { rowWriterFor, type RowWriter } from './row-writer.js';

const BYTES_FIRST = 16 * 1024;

/** Rows as lines, in one buffer that is used again and again. The format's frame ends each of them. */
export class RowLines {
  readonly #layout: RowLayout;
  readonly #writer: RowWriter;
  readonly #keys: readonly number[];
  readonly #tail: LineTail | null;
  readonly #to = new ByteBuffer(BYTES_FIRST);
  #last: { readonly bytes: Buffer; readonly start: number } | null = null;

  /** `tail` writes the end of each line, which the format then leaves open. */
  constructor(layout: RowLayout, format: RowFormat, tail: LineTail | null = null) {
    this.#tail = tail;
    this.#layout = layout;
    this.#writer = rowWriterFor(layout, format);
    this.#keys = format.keys;
  }

  /** The row whose bytes begin at `start`. */
  row(from: Buffer, start: number): void {
    const kept: DbValue[] = [];
    this.#writer.write(from, start, this.#to, kept);
    this.#end(kept);
    this.#last = { bytes: from, start };
  }

  /** The same of a large row, a slice in each step: what was written may be taken between two of them. */
  *rowSteps(from: Buffer, start: number): Steps<void> {
    const kept: DbValue[] = [];
    yield* this.#writer.writeSteps(from, start, this.#to, kept);
    this.#end(kept);
    this.#last = { bytes: from, start };
  }

  #end(kept: readonly DbValue[]): void {
    if (this.#tail !== null) this.#to.writeText(this.#tail(this.#writer.keyPlaces.map((place) => kept[place] ?? null)));
  }

  /** Bytes that were not taken yet. */
  waiting(): number {
    return this.#to.at;
  }

  /** What was written since the last time: to be used before the next row. */
  take(): Buffer {
    const to = this.#to;
    const lines = to.bytes.subarray(0, to.at);
    const isWhole = !to.hasUnchecked || isUtf8(lines);
    to.at = 0;
    to.hasUnchecked = false;
    return isWhole ? lines : Buffer.from(lines.toString('utf8'), 'utf8');
  }

  /** The values of the last row that are kept as keys, the others as NULL; null where there was no row. */
  lastKeys(): DbValue[] | null {
    return this.#last === null ? null : readCellsAt(this.#layout, this.#last.bytes, this.#last.start, this.#keys);
  }
}

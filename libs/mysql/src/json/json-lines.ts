import { isUtf8 } from 'node:buffer';
import type { RowFormat } from '@rowhouse/rest-engine';
import type { DbValue } from '../pool-types.js';
import type { RowLayout } from '../wire/row-layout.js';
import { ByteBuffer } from './byte-buffer.js';
import { rowWriterFor, type RowWriter } from './row-writer.js';

const BYTES_FIRST = 16 * 1024;
const LINE_END = 0x0a;

/** Rows as lines of JSON, in one buffer that is used again and again. */
export class JsonLines {
  readonly #layout: RowLayout;
  readonly #writer: RowWriter;
  readonly #to = new ByteBuffer(BYTES_FIRST);
  #last: { readonly bytes: Buffer; readonly start: number } | null = null;

  constructor(layout: RowLayout, format: RowFormat) {
    this.#layout = layout;
    this.#writer = rowWriterFor(layout, format);
  }

  /** The row whose bytes begin at `start`. */
  row(from: Buffer, start: number): void {
    const to = this.#to;
    this.#writer.write(from, start, to, []);
    to.reserve(1);
    to.bytes[to.at++] = LINE_END;
    this.#last = { bytes: from, start };
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

  /** The values of the last row; null where there was none. */
  lastCells(): DbValue[] | null {
    return this.#last === null ? null : this.#layout.readCells(this.#last.bytes, this.#last.start);
  }
}

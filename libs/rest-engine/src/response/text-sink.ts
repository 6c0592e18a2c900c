import type { ResultSet } from './result-set.js';

/** Receives the parts of a JSON response in order. */
export interface TextSink {
  text(text: string): void;
  /**
   * Writes `{…},{…}` with `count` existing records of `result` from `from`. Returns their length in bytes or
   * UTF-16 units.
   */
  records(result: ResultSet, from: number, count: number): number;
}

/** Builds a string. */
export class TextBuilder implements TextSink {
  whole = '';

  text(text: string): void {
    this.whole += text;
  }

  records(result: ResultSet, from: number, count: number): number {
    const text = recordsText(result, from, count);
    this.whole += text;
    return text.length;
  }
}

export function recordsText(result: ResultSet, from: number, count: number): string {
  let text = '';
  for (let row = from; row < from + count; row += 1)
    text += `${row === from ? '' : ','}{${result.membersText(row)}}`;
  return text;
}

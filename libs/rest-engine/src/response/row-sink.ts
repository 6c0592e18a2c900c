import type { Cell } from '../values/cell.js';
import { AppError } from '@rowhouse/errors';
import type {
  Statement,
  ResultSet,
  RowSink,
  RowSinkOptions,
  StatementOutcome,
  TextSink,
} from '../sql/statement.js';
import { rowWriterOf } from './row-writer.js';

/** Builds the JSON text of a response as a string. */
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

/**
 * Creates the default sink, which receives each row as an array of cells, in the order of the shape. `row`
 * throws `limit.response_size` (507) if the result is too large. The executor must then stop reading, and
 * discard the connection or the remaining rows.
 */
export function createRowSink(statement: Statement, options: RowSinkOptions): RowSink {
  const { shape } = statement;
  const write = shape === null ? null : rowWriterOf(shape, options.numbers);
  const keys = shape?.keys ?? [];
  const texts: string[] = [];
  const keyCells: (readonly Cell[])[] = [];
  let length = 0;
  return {
    row(cells) {
      const text = write === null ? '' : write(cells);
      length += text.length + 3;
      if (length > options.textMax) throw new AppError('limit.response_size');
      texts.push(text);
      if (keys.length > 0) keyCells.push(keys.map((index) => cells[index] ?? null));
    },
    end: (outcome) => makeResultSet(statement, texts, keyCells, outcome),
  };
}

function makeResultSet(
  statement: Statement,
  texts: readonly string[],
  keyCells: readonly (readonly Cell[])[],
  outcome: StatementOutcome,
): ResultSet {
  return {
    statement,
    rowCount: texts.length,
    affectedRows: outcome.affectedRows,
    insertId: outcome.insertId,
    membersText: (row) => texts[row] ?? '',
    keyCell: (row, keyIndex) => keyCells[row]?.[keyIndex] ?? null,
    arrayText: (rows) => {
      if (rows <= 0 || texts.length === 0) return '[]';
      return `[{${(rows >= texts.length ? texts : texts.slice(0, rows)).join('},{')}}]`;
    },
    arrayTextWith(rows, addMembers) {
      const to = new TextBuilder();
      for (const [row, text] of texts.slice(0, Math.max(0, rows)).entries()) {
        to.text(`${row === 0 ? '' : ','}{${text}${text === '' ? '' : ','}`);
        addMembers(row, to);
        to.text('}');
      }
      return `[${to.whole}]`;
    },
    arrayTextAnd: (others) =>
      `[${[texts.map((text) => `{${text}}`).join(','), ...others.filter((other) => other.rowCount > 0).map((other) => recordsText(other, 0, other.rowCount))].join(',')}]`,
    recordBytes: () => null,
    release: () => undefined,
  };
}

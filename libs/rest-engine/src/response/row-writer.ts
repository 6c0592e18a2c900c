import type { ResultShape } from '../sql/statement.js';
import type { Cell } from '../values/cell.js';
import { makeValueWriter, type ValueWriter } from '../sql/value-writer.js';

/** Returns the members of a record as JSON text without braces. */
export type RowWriter = (cells: readonly Cell[]) => string;

interface Part {
  readonly index: number;
  /** The text `"name":`, preceded by a comma except for the first member. */
  readonly head: string;
  readonly write: ValueWriter;
}

const writersByShape = {
  json: new WeakMap<ResultShape, RowWriter>(),
  string: new WeakMap<ResultShape, RowWriter>(),
};

/**
 * Returns the writer of rows with this shape. It is created once for each shape, so that names are not
 * escaped again for each row.
 */
export function rowWriterOf(shape: ResultShape, numbers: 'json' | 'string'): RowWriter {
  const found = writersByShape[numbers].get(shape);
  if (found !== undefined) return found;
  const writer = makeRowWriter(shape, numbers);
  writersByShape[numbers].set(shape, writer);
  return writer;
}

function makeRowWriter(shape: ResultShape, numbers: 'json' | 'string'): RowWriter {
  const parts: Part[] = [];
  shape.columns.forEach((column, index) => {
    if (!column.isOutput) return;
    const head = `${parts.length === 0 ? '' : ','}${JSON.stringify(column.name)}:`;
    parts.push({ index, head, write: makeValueWriter(column, numbers) });
  });
  return (cells) => {
    let text = '';
    for (const part of parts) {
      const cell = cells[part.index] ?? null;
      text += part.head + (cell === null ? 'null' : part.write(cell));
    }
    return text;
  };
}

import { JsonRows, type RowSink } from '@rowhouse/mysql';
import {
  createRowSink,
  rowFormatOf,
  type ResultSet,
  type RowSink as CellSink,
  type Statement,
  type StatementOutcome,
} from '@rowhouse/rest-engine';
import { LIMITS } from '../limits/limits.js';

/**
 * Creates a sink for the rows of one statement. It converts bytes from the wire to JSON, or cells when the
 * driver has decoded them. Both produce the same text.
 */
export function createResultSink(statement: Statement, numbers: 'json' | 'string'): RowSink<ResultSet> {
  const { shape } = statement;
  let rows: JsonRows | null = null;
  let cells: CellSink | null = null;
  /** Created only when the driver decodes the rows. */
  const cellSink = (): CellSink =>
    (cells ??= createRowSink(statement, { numbers, textMax: LIMITS.answerBytesMax }));
  return {
    columns: null,
    wire: (layout) =>
      shape === null || layout.columns.length !== shape.columns.length
        ? null
        : (rows = new JsonRows(layout, rowFormatOf(shape, numbers), LIMITS.answerBytesMax)),
    row: (row) => cellSink().row(row),
    end({ affectedRows, insertId }) {
      const outcome: StatementOutcome = { affectedRows, insertId: insertId === '0' ? null : insertId };
      return rows === null ? cellSink().end(outcome) : toResultSet(statement, rows, outcome);
    },
  };
}

function toResultSet(
  statement: Statement,
  rows: JsonRows,
  { affectedRows, insertId }: StatementOutcome,
): ResultSet {
  rows.end();
  return {
    statement,
    affectedRows,
    insertId,
    rowCount: rows.rowCount,
    isLate: rows.isLate,
    lateSteps: () => rows.lateSteps(),
    byteLength: () => rows.byteLength,
    membersText: (row) => rows.membersText(row),
    keyCell: (row, keyIndex) => rows.keyCell(row, keyIndex),
    arrayText: (count) => rows.arrayBytes(count),
    arrayTextWith: (count, addMembers) => rows.arrayBytesWith(count, addMembers),
    arrayTextAnd: (others) => rows.arrayBytesAnd(others),
    recordBytes: (from, count) => rows.recordBytes(from, count),
    release: () => rows.release(),
  };
}

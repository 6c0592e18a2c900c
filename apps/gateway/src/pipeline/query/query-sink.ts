import type { RowSink as DriverSink } from '@rowhouse/mysql';
import { createRowSink, type ResultSet, type ResultShape, type RowSink, type Statement } from '@rowhouse/rest-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import { LIMITS } from '../../limits.js';
import type { CleanCell } from './explain-text.js';
import { toResultShape, type QueryColumn } from './result-shape.js';

/** The rows of a query as JSON text, and what its columns are. */
export interface QueryRows {
  readonly json: string;
  readonly rowCount: number;
  /** There were more rows than asked for. */
  readonly isTruncated: boolean;
  readonly columns: readonly QueryColumn[];
}

export interface QuerySinkOptions {
  readonly compiled: CompiledSnapshot;
  readonly rowsMax: number;
  /** Rows as arrays of values instead of objects. */
  readonly arrayMode: boolean;
  readonly numbers: 'json' | 'string';
  /** Told of the bytes that came; throws when there is no room for more. */
  readonly addBytes: (bytes: number) => void;
  /** Of each cell, before it is written; null: as it comes. */
  readonly clean: CleanCell | null;
}

/** Stops the statement at the second row beyond `rowsMax`, and with `limit.response_size` beyond 64 MiB. */
export function createQuerySink(sql: string, options: QuerySinkOptions): DriverSink<QueryRows> {
  let columns: readonly QueryColumn[] = [];
  let writers: readonly RowSink[] = [];
  let rowCount = 0;
  const open = (shape: ResultShape): RowSink => {
    const statement: Statement = { role: { kind: 'records' }, sql, params: [], shape };
    return createRowSink(statement, { numbers: options.numbers, textMax: LIMITS.answerBytesMax });
  };
  return {
    columns(described) {
      const result = toResultShape(described, options.compiled);
      columns = result.described;
      writers = options.arrayMode ? result.shape.columns.map((column) => open({ columns: [{ ...column, name: 'v' }], keys: [] })) : [open(result.shape)];
    },
    row(given) {
      const cells = options.clean === null ? given : given.map(options.clean);
      rowCount += 1;
      // The first row too many only tells that there are more: usually it is the last one anyway.
      if (rowCount > options.rowsMax) return rowCount === options.rowsMax + 1;
      options.addBytes(countBytes(cells));
      if (options.arrayMode) writers.forEach((writer, position) => writer.row([cells[position] ?? null]));
      else writers[0]?.row(cells);
      return true;
    },
    end() {
      const shown = Math.min(rowCount, options.rowsMax);
      const results = writers.map((writer) => writer.end({ affectedRows: 0, insertId: null }));
      return { json: options.arrayMode ? joinArrays(results, shown) : toText(results[0]?.arrayText(shown) ?? '[]'), rowCount: shown, isTruncated: rowCount > shown, columns };
    },
  };
}

/** About: what is not text or bytes is short. */
function countBytes(cells: Parameters<DriverSink<QueryRows>['row']>[0]): number {
  let bytes = 0;
  for (const cell of cells) bytes += typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 8;
  return bytes;
}

/** Each column was written on its own, as `"v":value`. */
function joinArrays(results: readonly ResultSet[], rowCount: number): string {
  const rows: string[] = [];
  for (let row = 0; row < rowCount; row += 1) rows.push(`[${results.map((result) => result.membersText(row).slice('"v":'.length)).join(',')}]`);
  return `[${rows.join(',')}]`;
}

function toText(text: string | Uint8Array): string {
  return typeof text === 'string' ? text : Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8');
}

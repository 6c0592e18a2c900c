import {
  JsonRows,
  type ResultColumn,
  type RowLayout,
  type RowSink as DriverSink,
  type WireRows,
} from '@rowhouse/mysql';
import type { GuardedRead } from '@rowhouse/query-engine';
import {
  arrayFormatOf,
  createRowSink,
  rowFormatOf,
  type ResultSet,
  type ResultShape,
  type RowSink,
  type Statement,
} from '@rowhouse/rest-engine';
import { runStepsInSlices, type CompiledSnapshot } from '@rowhouse/schema-model';
import { LIMITS } from '../limits/limits.js';
import { toResultShape, type QueryColumn } from './result-shape.js';

type CleanCell = <T>(cell: T) => T;

/** The rows of a query as JSON, and a description of its columns. */
export interface QueryRows {
  readonly json: string | Uint8Array;
  readonly rowCount: number;
  /** True when the query had more rows than requested. */
  readonly isTruncated: boolean;
  readonly columns: readonly QueryColumn[];
}

export interface QuerySinkOptions {
  readonly compiled: CompiledSnapshot;
  readonly rowsMax: number;
  /** Returns rows as arrays of values instead of objects. */
  readonly arrayMode: boolean;
  readonly numbers: 'json' | 'string';
  /** Counts received bytes. Throws when the budget is used up. */
  readonly addBytes: (bytes: number) => void;
  /** Changes each cell before it is serialized. Null leaves cells unchanged. */
  readonly clean: CleanCell | null;
  /** Awaited between slices of large rows. */
  readonly pause: () => Promise<void>;
}

/**
 * Creates a sink that stops the statement at the second row beyond `rowsMax`.
 *
 * @throws AppError `limit.response_size` beyond 64 MiB
 */
export function createQuerySink(sql: string, options: QuerySinkOptions): DriverSink<QueryRows> {
  const cells = createCellRows(sql, options);
  let described: ReturnType<typeof toResultShape> = { shape: { columns: [], keys: [] }, described: [] };
  let rows: JsonRows | null = null;
  let rowCount = 0;
  /**
   * Counts a row. Returns null if the row belongs to the response, true for the first extra row, and false
   * for the second one, which stops the statement. In most cases, the first extra row is also the last row.
   */
  const countRow = (): boolean | null => {
    rowCount += 1;
    return rowCount > options.rowsMax ? rowCount === options.rowsMax + 1 : null;
  };
  return {
    columns(columns: readonly ResultColumn[]) {
      described = toResultShape(columns, options.compiled);
    },
    wire(layout: RowLayout): WireRows | null {
      if (options.clean !== null) return null;
      const { shape } = described;
      const open = (rows = new JsonRows(
        layout,
        options.arrayMode ? arrayFormatOf(shape, options.numbers) : rowFormatOf(shape, options.numbers),
        LIMITS.answerBytesMax,
      ));
      return {
        row(bytes, start, end) {
          const continues = countRow();
          if (continues !== null) return continues;
          options.addBytes(end - start);
          open.row(bytes, start, end);
          return true;
        },
      };
    },
    row(provided) {
      const continues = countRow();
      if (continues !== null) return continues;
      cells.row(described.shape, provided);
      return true;
    },
    late() {
      const steps = rows?.lateSteps() ?? null;
      return steps === null ? null : runStepsInSlices(steps, options.pause);
    },
    end() {
      const visible = Math.min(rowCount, options.rowsMax);
      rows?.end();
      return {
        json: rows?.arrayBytes(visible) ?? cells.json(visible),
        rowCount: visible,
        isTruncated: rowCount > visible,
        columns: described.described,
      };
    },
  };
}

type Cells = Parameters<DriverSink<QueryRows>['row']>[0];

interface CellRows {
  row(shape: ResultShape, cells: Cells): void;
  json(visible: number): string;
}

/**
 * Creates a sink for rows that the driver has decoded, because their wire format is unknown or because their
 * cells must be cleaned.
 */
function createCellRows(sql: string, options: QuerySinkOptions): CellRows {
  let writers: readonly RowSink[] | null = null;
  const open = (shape: ResultShape): RowSink => {
    const statement: Statement = { role: { kind: 'records' }, sql, params: [], shape };
    return createRowSink(statement, { numbers: options.numbers, textMax: LIMITS.answerBytesMax });
  };
  return {
    row(shape, provided) {
      writers ??= options.arrayMode
        ? shape.columns.map((column) => open({ columns: [{ ...column, name: 'v' }], keys: [] }))
        : [open(shape)];
      const cells = options.clean === null ? provided : provided.map(options.clean);
      options.addBytes(countBytes(cells));
      if (options.arrayMode) writers.forEach((writer, position) => writer.row([cells[position] ?? null]));
      else writers[0]?.row(cells);
    },
    json(visible) {
      const results = (writers ?? []).map((writer) => writer.end({ affectedRows: 0, insertId: null }));
      return options.arrayMode
        ? joinArrays(results, visible)
        : toText(results[0]?.arrayText(visible) ?? '[]');
    },
  };
}

/** Returns the approximate size. Values other than strings and bytes are short. */
function countBytes(cells: Cells): number {
  let bytes = 0;
  for (const cell of cells) bytes += typeof cell === 'string' || cell instanceof Uint8Array ? cell.length : 8;
  return bytes;
}

/** Joins rows as arrays. Each column was serialized on its own, in the form `"v":value`. */
function joinArrays(results: readonly ResultSet[], rowCount: number): string {
  const rows: string[] = [];
  for (let row = 0; row < rowCount; row += 1)
    rows.push(`[${results.map((result) => result.membersText(row).slice('"v":'.length)).join(',')}]`);
  return `[${rows.join(',')}]`;
}

function toText(text: string | Uint8Array): string {
  return typeof text === 'string'
    ? text
    : Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8');
}

/**
 * Creates a function for cells of EXPLAIN. It removes the real schema name and restores the names of the
 * user's text, which the guard has replaced. Returns null for statements other than EXPLAIN.
 */
export function createExplainCleaner(
  { kind, substitutions }: Pick<GuardedRead, 'kind' | 'substitutions'>,
  schemaName: string,
): CleanCell | null {
  if (kind !== 'explain') return null;
  // The longest names come first, because `given1` is a prefix of `given10`. All are replaced in one pass,
  // because a table may have the name of a stand-in.
  const standIn =
    substitutions.size === 0
      ? null
      : new RegExp([...substitutions.keys()].sort((a, b) => b.length - a.length).join('|'), 'g');
  const clean = (text: string): string => {
    const plain = text
      .replaceAll(`\`${schemaName}\`.`, '')
      .replaceAll(`${schemaName}.`, '')
      .replaceAll(schemaName, 'database');
    return standIn === null ? plain : plain.replaceAll(standIn, (found) => substitutions.get(found) ?? found);
  };
  return (cell) => (typeof cell === 'string' ? (clean(cell) as typeof cell) : cell);
}

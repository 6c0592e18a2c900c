import type { FieldPacket } from 'mysql2';
import type { DbValue, ResultColumn, RowSink, StatementResult, WireRows, WriteCounts } from '../types.js';
import type { RowLayout } from '../wire/row-layout.js';

/**
 * Passes rows to a sink, either from the driver's events or from the platform's own packet reader. Its
 * methods must not throw, because an error inside the driver would end the connection.
 */
export interface RowFeed<R> {
  columns(fields: FieldPacket[] | undefined): void;
  row(row: unknown): void;
  /** Receives the row layout from the packet reader. It is called once, before the rows. */
  layout(layout: RowLayout, describe: () => readonly ResultColumn[]): void;
  /** Receives a row from `start`, the byte after the packet's marker, to `end`. */
  wireRow(bytes: Buffer, start: number, end: number): void;
  counts(counts: WriteCounts): void;
  /** Finishes the statement. Later calls are ignored. */
  finish(
    elapsedMs: number,
    resolve: (result: StatementResult<R>) => void,
    reject: (error: unknown) => void,
  ): void;
  /** Stops feeding the sink, because the caller no longer waits. */
  abandon(): void;
}

const NO_COUNTS: WriteCounts = { affectedRows: 0, insertId: '0', warnings: 0 };

/** Creates a feed. `onStop` is called once when the remaining rows are not wanted. */
export function createRowFeed<R>(sink: RowSink<R>, onStop: () => void): RowFeed<R> {
  return new SinkFeed(sink, onStop);
}

/** Feeds a sink. Each statement creates a single object without closures, for speed. */
class SinkFeed<R> implements RowFeed<R> {
  readonly #sink: RowSink<R>;
  readonly #onStop: () => void;
  #counts = NO_COUNTS;
  #hasRows = false;
  #isCut = false;
  #isFinished = false;
  #failure: { readonly error: unknown } | null = null;
  #readCells: RowLayout['readCells'] | null = null;
  #wireRows: WireRows | null = null;

  constructor(sink: RowSink<R>, onStop: () => void) {
    this.#sink = sink;
    this.#onStop = onStop;
  }

  columns(fields: FieldPacket[] | undefined): void {
    if (fields === undefined || this.#isFinished) return;
    this.#hasRows = true;
    const { columns } = this.#sink;
    const described = columns === null ? null : fields.map(toResultColumn);
    forgetNames(fields);
    if (columns === null || described === null) return;
    try {
      columns(described);
    } catch (error) {
      this.#fail(error);
    }
  }

  layout(layout: RowLayout, describe: () => readonly ResultColumn[]): void {
    if (this.#isFinished) return;
    this.#hasRows = true;
    this.#readCells = layout.readCells;
    try {
      if (this.#sink.columns !== null) this.#sink.columns(describe());
      this.#wireRows = this.#sink.wire?.(layout) ?? null;
    } catch (error) {
      this.#fail(error);
    }
  }

  row(row: unknown): void {
    if (!this.#hasRows) this.#counts = toCounts(row);
    else if (this.#isWanted()) this.#take(row as DbValue[]);
  }

  wireRow(bytes: Buffer, start: number, end: number): void {
    if (!this.#isWanted()) return;
    if (this.#wireRows === null) return this.#take(this.#readCells?.(bytes, start) ?? []);
    try {
      this.#isCut = this.#wireRows.row(bytes, start, end) === false;
    } catch (error) {
      return this.#fail(error);
    }
    if (this.#isCut) this.#onStop();
  }

  counts(counts: WriteCounts): void {
    this.#counts = counts;
  }

  finish(
    elapsedMs: number,
    resolve: (result: StatementResult<R>) => void,
    reject: (error: unknown) => void,
  ): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    if (this.#failure !== null) return reject(this.#failure.error);
    const late = this.#sink.late?.() ?? null;
    if (late === null) this.#end(elapsedMs, resolve, reject);
    else late.then(() => this.#end(elapsedMs, resolve, reject), reject);
  }

  #end(
    elapsedMs: number,
    resolve: (result: StatementResult<R>) => void,
    reject: (error: unknown) => void,
  ): void {
    try {
      resolve({
        kind: this.#hasRows ? 'rows' : 'counts',
        rows: this.#sink.end(this.#counts),
        counts: this.#counts,
        isCut: this.#isCut,
        elapsedMs,
      });
    } catch (error) {
      reject(error);
    }
  }

  abandon(): void {
    this.#isFinished = true;
  }

  #isWanted(): boolean {
    return !this.#isCut && !this.#isFinished && this.#failure === null;
  }

  #take(cells: DbValue[]): void {
    try {
      this.#isCut = this.#sink.row(cells) === false;
    } catch (error) {
      return this.#fail(error);
    }
    if (this.#isCut) this.#onStop();
  }

  #fail(error: unknown): void {
    this.#failure = { error };
    this.#onStop();
  }
}

/**
 * Removes the column names. Rows arrive as arrays, so the row readers that the driver compiles need no names.
 * If there are names, the driver ends the session for some of them (`__proto__`), and caches a reader for
 * each set of names.
 */
function forgetNames(fields: readonly FieldPacket[]): void {
  for (const field of fields) field.name = '';
}

function toCounts(header: unknown): WriteCounts {
  const packet = header as { affectedRows?: number; insertId?: number | string; warningStatus?: number };
  return {
    affectedRows: packet.affectedRows ?? 0,
    insertId: String(packet.insertId ?? 0),
    warnings: packet.warningStatus ?? 0,
  };
}

function toResultColumn(field: FieldPacket): ResultColumn {
  return {
    name: field.name,
    table: field.table,
    orgTable: field.orgTable,
    orgName: field.orgName,
    typeCode: field.columnType ?? field.type ?? 0,
    flags: typeof field.flags === 'number' ? field.flags : 0,
    charset: field.characterSet ?? 0,
    length: field.columnLength ?? field.length ?? 0,
    decimals: field.decimals,
    isJson: field.extendedFormat === 'json' || field.columnType === 245,
    extendedType: field.extendedTypeName ?? '',
  };
}

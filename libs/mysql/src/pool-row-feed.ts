import type { FieldPacket } from 'mysql2';
import type { DbValue, ResultColumn, RowSink, StatementResult, WriteCounts } from './pool-types.js';

/** Between the driver's events and the sink. Nothing may be thrown into the driver: that would end the connection. */
export interface RowFeed<R> {
  columns(fields: FieldPacket[] | undefined): void;
  row(row: unknown): void;
  /** Once: what comes later is not looked at. */
  finish(elapsedMs: number, resolve: (result: StatementResult<R>) => void, reject: (error: unknown) => void): void;
}

const NO_COUNTS: WriteCounts = { affectedRows: 0, insertId: '0', warnings: 0 };

/** `onStop` is called once when the rest of the rows is not wanted. */
export function createRowFeed<R>(sink: RowSink<R>, onStop: () => void): RowFeed<R> {
  let counts = NO_COUNTS;
  let hasRows = false;
  let isCut = false;
  let isFinished = false;
  let failure: { readonly error: unknown } | null = null;

  function feedColumns(feed: (columns: readonly ResultColumn[]) => void, columns: readonly ResultColumn[]): void {
    try {
      feed(columns);
    } catch (error) {
      failure = { error };
      onStop();
    }
  }

  function feedRow(row: unknown): void {
    try {
      isCut = sink.row(row as DbValue[]) === false;
    } catch (error) {
      failure = { error };
    }
    if (isCut || failure !== null) onStop();
  }

  return {
    columns(fields) {
      if (fields === undefined) return;
      hasRows = true;
      const described = sink.columns === null ? null : fields.map(toResultColumn);
      forgetNames(fields);
      if (sink.columns !== null && described !== null) feedColumns(sink.columns, described);
    },
    row(row) {
      if (!hasRows) counts = toCounts(row);
      else if (!isCut && !isFinished && failure === null) feedRow(row);
    },
    finish(elapsedMs, resolve, reject) {
      if (isFinished) return;
      isFinished = true;
      if (failure !== null) return reject(failure.error);
      try {
        resolve({ kind: hasRows ? 'rows' : 'counts', rows: sink.end(counts), counts, isCut, elapsedMs });
      } catch (error) {
        reject(error);
      }
    },
  };
}

/**
 * Rows come as arrays, so the driver's compiled row readers need no names. With them it refuses some (`__proto__`)
 * at the price of the session, and keeps a reader for each set of names that any text ever chose.
 */
function forgetNames(fields: readonly FieldPacket[]): void {
  for (const field of fields) field.name = '';
}

function toCounts(header: unknown): WriteCounts {
  const packet = header as { affectedRows?: number; insertId?: number | string; warningStatus?: number };
  return { affectedRows: packet.affectedRows ?? 0, insertId: String(packet.insertId ?? 0), warnings: packet.warningStatus ?? 0 };
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

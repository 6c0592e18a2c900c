import { ConnectionLostError, DatabaseFault, isSessionEnd } from '../faults.js';
import type { RowFeed } from '../session/row-feed.js';
import type { WriteCounts } from '../types.js';
import type { WirePacket } from './driver-wire.js';
import {
  compileLayout,
  readResultColumn,
  readWireColumn,
  type RowLayout,
  readDigits,
  readLength,
} from './row-layout.js';

/** A statement that is prepared on one session, with the format of its latest response. */
export interface WireStatement {
  readonly id: number;
  /**
   * The column definitions as the server sent them. `layout` is valid as long as the server sends the same
   * bytes again.
   */
  definitions: readonly Buffer[];
  /** The layout of the rows. Null before the first response, and if only the driver can read the rows. */
  layout: RowLayout | null;
}

/** The response has columns that only the driver can read. None of its rows was passed on. */
export class UnreadableColumnsError extends Error {}

export interface ResponseOptions {
  /** Whether MariaDB adds another block to each column definition, see `readWireColumn`. */
  readonly hasMore: boolean;
  /**
   * Whether all types are accepted, see `compileLayout`. Set for a write, because it cannot be sent again
   * just to read its returned rows with the driver.
   */
  readonly takesAll: boolean;
}

const OK = 0x00;
const END = 0xfe;
const ERROR = 0xff;
/** The status flag of an open transaction. */
const IN_TRANSACTION = 0x0001;
/**
 * The maximum length of the packet that ends a response. Longer packets with the same first byte are rows.
 */
const END_BYTES_MAX = 8;

type Part = 'header' | 'definitions' | 'end_of_definitions' | 'rows';

/**
 * Reads the response to one EXECUTE into a feed: header, definitions, end, rows, end. It is one object
 * without closures, because each statement needs one.
 */
export class ExecuteResponse {
  /**
   * The error of the statement: DatabaseFault, ConnectionLostError if the server ends the session, or
   * UnreadableColumnsError. Null on success.
   */
  fault: Error | null = null;
  /** Whether a transaction was open after a successful response. */
  isInTransaction = false;
  readonly #statement: WireStatement;
  readonly #feed: RowFeed<unknown>;
  readonly #options: ResponseOptions;
  #part: Part = 'header';
  #columns = 0;
  #seen = 0;
  /**
   * The column definitions that the server sent in this response, from the first one that differs from the
   * stored ones.
   */
  #changed: Buffer[] | null = null;

  constructor(statement: WireStatement, feed: RowFeed<unknown>, options: ResponseOptions) {
    this.#statement = statement;
    this.#feed = feed;
    this.#options = options;
  }

  /** Returns whether no packet of the response has arrived yet. */
  get isAwaited(): boolean {
    return this.#part === 'header';
  }

  /**
   * Reads one packet. Returns true when the response is complete. Never throws, because the driver calls it.
   */
  take(packet: WirePacket): boolean {
    try {
      return this.#read(packet.buffer, packet.offset, packet.end);
    } catch (error) {
      this.fault ??= error as Error;
      return false;
    }
  }

  #read(bytes: Buffer, start: number, end: number): boolean {
    const mark = bytes[start];
    if (this.#part === 'rows') {
      if (mark === END && end - start <= END_BYTES_MAX) return this.#end(bytes.readUInt16LE(start + 3));
      if (mark === ERROR) return this.#reject(bytes, start, end);
      if (this.fault === null) this.#feed.wireRow(bytes, start + 1, end);
      return false;
    }
    if (mark === ERROR) return this.#reject(bytes, start, end);
    if (this.#part === 'header') return this.#takeHeader(bytes, start);
    if (this.#part === 'definitions') this.#takeDefinition(bytes, start, end);
    else this.#beginRows();
    return false;
  }

  #takeHeader(bytes: Buffer, start: number): boolean {
    if (bytes[start] === OK) {
      const { counts, state } = readOk(bytes, start + 1);
      this.#feed.counts(counts);
      return this.#end(state);
    }
    this.#columns = readLength(bytes, { at: start }) ?? 0;
    this.#changed = this.#columns === this.#statement.definitions.length ? null : [];
    this.#part = 'definitions';
    return false;
  }

  #takeDefinition(bytes: Buffer, start: number, end: number): void {
    const { definitions } = this.#statement;
    const known = definitions[this.#seen];
    if (this.#changed === null && (known === undefined || known.compare(bytes, start, end) !== 0))
      this.#changed = definitions.slice(0, this.#seen);
    // The bytes belong to the socket's buffer, so definitions that are stored must be copied.
    this.#changed?.push(Buffer.from(bytes.subarray(start, end)));
    this.#seen += 1;
    if (this.#seen === this.#columns) this.#part = 'end_of_definitions';
  }

  #beginRows(): void {
    this.#part = 'rows';
    const statement = this.#statement;
    const { hasMore, takesAll } = this.#options;
    if (this.#changed !== null) {
      statement.definitions = this.#changed;
      statement.layout = null;
      statement.layout = compileLayout(
        this.#changed.map((bytes) => readWireColumn(bytes, 0, hasMore)),
        takesAll,
      );
    }
    if (statement.layout === null) this.fault = new UnreadableColumnsError();
    else
      this.#feed.layout(statement.layout, () =>
        statement.definitions.map((bytes) => readResultColumn(bytes, hasMore)),
      );
  }

  #end(state: number): true {
    this.isInTransaction = (state & IN_TRANSACTION) !== 0;
    return true;
  }

  #reject(bytes: Buffer, start: number, end: number): true {
    const rejected = readFault(bytes, start + 1, end);
    this.fault = isSessionEnd(rejected.errno)
      ? new ConnectionLostError(rejected.sqlMessage, false, rejected)
      : rejected;
    return true;
  }
}

/** Returns whether the latest response could be read without the driver. True before the first response. */
export function isReadable(statement: WireStatement): boolean {
  return statement.definitions.length === 0 || statement.layout !== null;
}

/** Reads the counts and the status flags of an OK packet. */
function readOk(bytes: Buffer, start: number): { readonly counts: WriteCounts; readonly state: number } {
  const cursor = { at: start };
  const affectedRows = readLength(bytes, cursor) ?? 0;
  const insertId = readDigits(bytes, cursor);
  return {
    counts: { affectedRows, insertId, warnings: bytes.readUInt16LE(cursor.at + 2) },
    state: bytes.readUInt16LE(cursor.at),
  };
}

/** Reads an error packet: the number, `#`, five characters of SQLSTATE, and the message. */
function readFault(bytes: Buffer, offset: number, end: number): DatabaseFault {
  const hasState = bytes[offset + 2] === 0x23;
  const state = hasState ? bytes.toString('latin1', offset + 3, offset + 8) : 'HY000';
  return new DatabaseFault(
    bytes.readUInt16LE(offset),
    state,
    bytes.toString('utf8', hasState ? offset + 8 : offset + 2, end),
  );
}

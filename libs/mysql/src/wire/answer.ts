import { ConnectionLost, DatabaseFault, isSessionEnd } from '../pool-fault.js';
import type { RowFeed } from '../pool-row-feed.js';
import type { WriteCounts } from '../pool-types.js';
import type { WirePacket } from './driver-wire.js';
import { readDigits, readLength } from './read-number.js';
import { compileLayout, readResultColumn, readWireColumn, type RowLayout } from './row-layout.js';

/** A statement prepared on one session, with what its last answer looked like. */
export interface WireStatement {
  readonly id: number;
  /** The definitions as the server sent them: as long as they come again byte for byte, `layout` fits. */
  definitions: readonly Buffer[];
  /** Null before the first answer, and when only the driver can read it. */
  layout: RowLayout | null;
}

/** The answer has columns that only the driver can read. None of its rows was handed over. */
export class UnreadableColumns extends Error {}

export interface AnswerOptions {
  /** See `readWireColumn`. */
  readonly hasMore: boolean;
  /** Of a write, which is not sent a second time for what it gives back: see `compileLayout`. */
  readonly takesAll: boolean;
}

const OK = 0x00;
const END = 0xfe;
const ERROR = 0xff;
/** Of the state of the session that comes with an end: a transaction is open. */
const IN_TRANSACTION = 0x0001;
/** Longer packets that begin like an end are rows. */
const END_BYTES_MAX = 8;

type Part = 'header' | 'definitions' | 'end_of_definitions' | 'rows';

/** The answer to one EXECUTE on its way into a feed: header, definitions, end, rows, end. One object and no closures, since each statement has one. */
export class Answer {
  /** DatabaseFault, ConnectionLost where the server ends the session with it, UnreadableColumns; null when all went well. */
  fault: Error | null = null;
  /** Of an answer that is over and has no fault: whether a transaction was open behind it. */
  isInTransaction = false;
  readonly #statement: WireStatement;
  readonly #feed: RowFeed<unknown>;
  readonly #options: AnswerOptions;
  #part: Part = 'header';
  #columns = 0;
  #seen = 0;
  /** Filled from the first definition on that is not the known one. */
  #changed: Buffer[] | null = null;

  constructor(statement: WireStatement, feed: RowFeed<unknown>, options: AnswerOptions) {
    this.#statement = statement;
    this.#feed = feed;
    this.#options = options;
  }

  /** Whether nothing of it has come yet. */
  get isAwaited(): boolean {
    return this.#part === 'header';
  }

  /** True when the answer is over. Throws nothing, since it is called by the driver. */
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
      if (mark === ERROR) return this.#refuse(bytes, start, end);
      if (this.fault === null) this.#feed.wireRow(bytes, start + 1, end);
      return false;
    }
    if (mark === ERROR) return this.#refuse(bytes, start, end);
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
    if (this.#changed === null && (known === undefined || known.compare(bytes, start, end) !== 0)) this.#changed = definitions.slice(0, this.#seen);
    // The bytes are the socket's: kept ones are copied.
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
      statement.layout = compileLayout(this.#changed.map((bytes) => readWireColumn(bytes, 0, hasMore)), takesAll);
    }
    if (statement.layout === null) this.fault = new UnreadableColumns();
    else this.#feed.layout(statement.layout, () => statement.definitions.map((bytes) => readResultColumn(bytes, hasMore)));
  }

  #end(state: number): true {
    this.isInTransaction = (state & IN_TRANSACTION) !== 0;
    return true;
  }

  #refuse(bytes: Buffer, start: number, end: number): true {
    const refused = readFault(bytes, start + 1, end);
    this.fault = isSessionEnd(refused.errno) ? new ConnectionLost(refused.sqlMessage, false, refused) : refused;
    return true;
  }
}

/** Whether the answer before this one had nothing that only the driver can read; true when there was none. */
export function isReadable(statement: WireStatement): boolean {
  return statement.definitions.length === 0 || statement.layout !== null;
}

/** Counts, and the state of the session. */
function readOk(bytes: Buffer, start: number): { readonly counts: WriteCounts; readonly state: number } {
  const cursor = { at: start };
  const affectedRows = readLength(bytes, cursor) ?? 0;
  const insertId = readDigits(bytes, cursor);
  return { counts: { affectedRows, insertId, warnings: bytes.readUInt16LE(cursor.at + 2) }, state: bytes.readUInt16LE(cursor.at) };
}

/** Number, `#`, five characters of state, text. */
function readFault(bytes: Buffer, at: number, end: number): DatabaseFault {
  const hasState = bytes[at + 2] === 0x23;
  const state = hasState ? bytes.toString('latin1', at + 3, at + 8) : 'HY000';
  return new DatabaseFault(bytes.readUInt16LE(at), state, bytes.toString('utf8', hasState ? at + 8 : at + 2, end));
}

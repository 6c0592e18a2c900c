import { DatabaseFault } from '../pool-fault.js';
import type { DbValue, WriteCounts } from '../pool-types.js';
import type { WirePacket } from './driver-wire.js';
import { compileReadCells, readWireColumn, type ReadCells } from './read-cells.js';
import { readDigits, readLength } from './read-number.js';

/** A statement prepared on one session, with what its last answer looked like. */
export interface WireStatement {
  readonly id: number;
  /** The definitions as the server sent them: as long as they come again byte for byte, `read` fits. */
  definitions: readonly Buffer[];
  /** Null before the first answer, and when only the driver can read it. */
  read: ReadCells | null;
}

/** Takes what one answer brings. Nothing of it may throw. */
export interface AnswerTaker {
  /** Rows come. */
  rows(): void;
  row(cells: DbValue[]): void;
  counts(counts: WriteCounts): void;
  /** Refused by the server; of a fault in the middle of the rows, too. */
  fault(fault: DatabaseFault): void;
  /** It has columns that only the driver can read: nothing was handed over. */
  unreadable(): void;
}

export interface AnswerDecoder {
  /** True when the answer is over. */
  take(packet: WirePacket): boolean;
}

const OK = 0x00;
const END = 0xfe;
const ERROR = 0xff;
/** Longer packets that begin like an end are rows. */
const END_BYTES_MAX = 8;

/** Reads the answer to one EXECUTE: header, definitions, end, rows, end. `hasMore`: see `readWireColumn`. */
export function createAnswerDecoder(statement: WireStatement, taker: AnswerTaker, hasMore: boolean): AnswerDecoder {
  let step: 'header' | 'definitions' | 'end_of_definitions' | 'rows' = 'header';
  let columns = 0;
  let seen = 0;
  /** Filled from the first definition on that is not the known one. */
  let changed: Buffer[] | null = null;

  function takeHeader({ buffer, offset }: WirePacket): boolean {
    if (buffer[offset] === OK) {
      taker.counts(readCounts(buffer, offset + 1));
      return true;
    }
    columns = readLength(buffer, { at: offset }) ?? 0;
    changed = columns === statement.definitions.length ? null : [];
    step = 'definitions';
    return false;
  }

  function takeDefinition({ buffer, offset, end }: WirePacket): void {
    const known = statement.definitions[seen];
    if (changed === null && (known === undefined || known.compare(buffer, offset, end) !== 0)) changed = statement.definitions.slice(0, seen) as Buffer[];
    // The bytes are the socket's: kept ones are copied.
    changed?.push(Buffer.from(buffer.subarray(offset, end)));
    seen += 1;
    if (seen === columns) step = 'end_of_definitions';
  }

  function beginRows(): void {
    step = 'rows';
    if (changed !== null) {
      statement.definitions = changed;
      statement.read = null;
      statement.read = compileReadCells(changed.map((bytes) => readWireColumn(bytes, 0, hasMore)));
    }
    if (statement.read === null) taker.unreadable();
    else taker.rows();
  }

  return {
    take(packet) {
      const { buffer, offset, end } = packet;
      const mark = buffer[offset];
      if (mark === ERROR) {
        taker.fault(readFault(buffer, offset + 1, end));
        return true;
      }
      switch (step) {
        case 'header': return takeHeader(packet);
        case 'definitions': return takeDefinition(packet), false;
        case 'end_of_definitions': return beginRows(), false;
        case 'rows': {
          if (mark === END && end - offset <= END_BYTES_MAX) return true;
          if (statement.read !== null) taker.row(statement.read(buffer, offset + 1));
          return false;
        }
      }
    },
  };
}

function readCounts(bytes: Buffer, start: number): WriteCounts {
  const cursor = { at: start };
  const affectedRows = readLength(bytes, cursor) ?? 0;
  const insertId = readDigits(bytes, cursor);
  return { affectedRows, insertId, warnings: bytes.readUInt16LE(cursor.at + 2) };
}

/** Number, `#`, five characters of state, text. */
function readFault(bytes: Buffer, at: number, end: number): DatabaseFault {
  const hasState = bytes[at + 2] === 0x23;
  const state = hasState ? bytes.toString('latin1', at + 3, at + 8) : 'HY000';
  return new DatabaseFault(bytes.readUInt16LE(at), state, bytes.toString('utf8', hasState ? at + 8 : at + 2, end));
}

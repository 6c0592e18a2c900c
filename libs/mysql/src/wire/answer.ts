import { ConnectionLost, isSessionEnd } from '../pool-fault.js';
import type { RowFeed } from '../pool-row-feed.js';
import { createAnswerDecoder, type WireStatement } from './answer-decoder.js';
import type { DriverWire, WirePacket } from './driver-wire.js';

/** The answer has columns that only the driver can read. None of its rows was handed over. */
export class UnreadableColumns extends Error {}

/** One answer on its way into a feed. Throws nothing, since it is called by the driver. */
export interface Answer {
  /** True when the answer is over. */
  take(packet: WirePacket): boolean;
  /** DatabaseFault, ConnectionLost where the server ends the session with it, UnreadableColumns; null when all went well. */
  fault(): Error | null;
}

export function openAnswer(wire: DriverWire, statement: WireStatement, feed: RowFeed<unknown>): Answer {
  let fault: Error | null = null;
  const decoder = createAnswerDecoder(
    statement,
    {
      rows: () => feed.columns([]),
      row: (cells) => feed.row(cells),
      counts: ({ affectedRows, insertId, warnings }) => feed.row({ affectedRows, insertId, warningStatus: warnings }),
      fault(refused) {
        fault = isSessionEnd(refused.errno) ? new ConnectionLost(refused.sqlMessage, false, refused) : refused;
      },
      unreadable() {
        fault = new UnreadableColumns();
      },
    },
    wire._mariadbExtendedMetadata,
  );
  return {
    take(packet) {
      try {
        return decoder.take(packet);
      } catch (error) {
        fault ??= error as Error;
        return false;
      }
    },
    fault: () => fault,
  };
}

/** Whether the answer before this one had nothing that only the driver can read; true when there was none. */
export function isReadable(statement: WireStatement): boolean {
  return statement.definitions.length === 0 || statement.read !== null;
}

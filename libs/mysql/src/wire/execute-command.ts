import { ConnectionLost, isSessionEnd } from '../pool-fault.js';
import type { RowFeed } from '../pool-row-feed.js';
import type { BindValue } from '../pool-types.js';
import { createAnswerDecoder, type WireStatement } from './answer-decoder.js';
import type { DriverWire } from './driver-wire.js';
import { encodeExecute } from './encode-execute.js';

/** The answer has columns that only the driver can read. None of its rows was handed over. */
export class UnreadableColumns extends Error {}

export interface ExecuteOutcome {
  onEnd(): void;
  /** DatabaseFault, ConnectionLost, UnreadableColumns, or what the driver says of a lost connection. */
  onFault(error: unknown): void;
}

/** Sends one EXECUTE and reads its answer straight from the packets. False when it is too large: nothing was sent. */
export function startExecute(wire: DriverWire, statement: WireStatement, values: readonly BindValue[], feed: RowFeed<unknown>, outcome: ExecuteOutcome): boolean {
  const bytes = encodeExecute(statement.id, values);
  if (bytes === null) return false;
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
  wire.addCommand({
    execute(packet) {
      if (packet === undefined) {
        wire.sequenceId = 1;
        wire.compressedSequenceId = 0;
        wire.write(bytes);
        return false;
      }
      try {
        if (!decoder.take(packet)) return false;
      } catch (error) {
        // Nothing may be thrown into the driver.
        fault ??= error as Error;
        return false;
      }
      if (fault === null) outcome.onEnd();
      else outcome.onFault(fault);
      return true;
    },
    onResult: (error) => outcome.onFault(error),
  });
  return true;
}

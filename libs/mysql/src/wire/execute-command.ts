import type { RowFeed } from '../pool-row-feed.js';
import type { BindValue } from '../pool-types.js';
import { Answer, isReadable, type WireStatement } from './answer.js';
import type { DriverWire } from './driver-wire.js';
import { encodeExecute } from './encode-execute.js';

export interface ExecuteOutcome {
  onEnd(): void;
  /** What `Answer.fault` tells, or what the driver says of a lost connection. */
  onFault(error: unknown): void;
}

/** Sends one EXECUTE and reads its answer straight from the packets. False when it is too large or not readable so: nothing was sent. */
export function startExecute(wire: DriverWire, statement: WireStatement, values: readonly BindValue[], feed: RowFeed<unknown>, outcome: ExecuteOutcome): boolean {
  const bytes = isReadable(statement) ? encodeExecute(statement.id, values) : null;
  if (bytes === null) return false;
  const answer = new Answer(statement, feed, wire._mariadbExtendedMetadata);
  wire.addCommand({
    execute(packet) {
      if (packet === undefined) {
        wire.sequenceId = 1;
        wire.compressedSequenceId = 0;
        wire.write(bytes);
        return false;
      }
      if (!answer.take(packet)) return false;
      const { fault } = answer;
      if (fault === null) outcome.onEnd();
      else outcome.onFault(fault);
      return true;
    },
    onResult: (error) => outcome.onFault(error),
  });
  return true;
}

import type { RowFeed } from '../session/row-feed.js';
import type { BindValue } from '../types.js';
import { FIRST_SEQUENCE_ID, type DriverWire } from './driver-wire.js';
import { encodeCommand, encodeExecute, PACKET_BYTES_MAX } from './encode-execute.js';
import { ExecuteResponse, isReadable, type WireStatement } from './execute-response.js';

/** A prepared statement with its values and the feed of its response. */
export interface PairPart {
  readonly statement: WireStatement;
  readonly values: readonly BindValue[];
  readonly feed: RowFeed<unknown>;
}

interface ExecutePart extends PairPart {
  /** Whether columns of all types are accepted, see `ResponseOptions`. */
  readonly takesAll: boolean;
  /** Called with the size of each row packet, before the next packet is read. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

interface ExecuteOutcome {
  onEnd(): void;
  /** Receives the error of the response, or the driver's error for a lost connection. */
  onFault(error: unknown): void;
  /** Called if a packet is not a valid response. The connection must not be used again. */
  onDisorder(error: Error): void;
}

/**
 * Sends one EXECUTE packet and reads its response from the packets. If the statement is too large, or its
 * response cannot be read in this way, it returns false and sends nothing.
 */
export function startExecute(
  wire: DriverWire,
  { statement, values, feed, takesAll, onBytes }: ExecutePart,
  outcome: ExecuteOutcome,
): boolean {
  const bytes = isReadable(statement) ? encodeExecute(statement.id, values, PACKET_BYTES_MAX) : null;
  if (bytes === null) return false;
  const response = new ExecuteResponse(statement, feed, { hasMore: wire._mariadbExtendedMetadata, takesAll });
  wire.addCommand({
    execute(packet) {
      if (packet === undefined) {
        wire.sequenceId = FIRST_SEQUENCE_ID;
        wire.compressedSequenceId = 0;
        wire.write(bytes);
        return false;
      }
      if (response.isAwaited && packet.sequenceId !== FIRST_SEQUENCE_ID) {
        outcome.onDisorder(new Error('the server sent a packet that belongs to no request'));
        return true;
      }
      if (!response.take(packet)) {
        onBytes?.(packet.end - packet.offset);
        return false;
      }
      const { fault } = response;
      if (fault === null) outcome.onEnd();
      else outcome.onFault(fault);
      return true;
    },
    onResult: (error) => outcome.onFault(error),
  });
  return true;
}

/** The errors of the leading command, the first statement and the second statement. */
export type PairFaults = readonly [ahead: Error | null, first: Error | null, second: Error | null];

export interface PairOutcome {
  /** Called when the response to the first statement is complete and the second statement is running. */
  onFirst(): void;
  /** Called when all responses are complete. */
  onEnd(faults: PairFaults): void;
  onDisorder(error: Error): void;
  /** Called when the driver reports that the connection is lost. */
  onLost(error: Error): void;
}

/**
 * Sends two EXECUTE packets in one write and reads their responses in order. The second statement runs even
 * if the first one fails. `ahead` is a command without rows that is sent before them in the same write. If
 * the packets are too large, or the responses cannot be read in this way, it returns false and sends nothing.
 */
export function startExecutePair(
  wire: DriverWire,
  first: PairPart,
  second: PairPart,
  outcome: PairOutcome,
  ahead: string | null = null,
): boolean {
  const bytes = [encodePart(first), encodePart(second)].filter((part) => part !== null);
  if (bytes.length < 2) return false;
  if (ahead !== null) bytes.unshift(encodeCommand(ahead));
  const options = { hasMore: wire._mariadbExtendedMetadata, takesAll: false };
  const opening = new ExecuteResponse(NO_STATEMENT, NO_FEED, options);
  const responses = [
    opening,
    ...[first, second].map(({ statement, feed }) => new ExecuteResponse(statement, feed, options)),
  ] as const;
  let offset = ahead === null ? 1 : 0;
  wire.addCommand({
    execute(packet) {
      if (packet === undefined) {
        wire.sequenceId = FIRST_SEQUENCE_ID;
        wire.compressedSequenceId = 0;
        wire.write(Buffer.concat(bytes));
        return false;
      }
      const response = responses[offset] as ExecuteResponse;
      if (response.isAwaited && packet.sequenceId !== FIRST_SEQUENCE_ID) {
        outcome.onDisorder(new Error('the server sent a packet that belongs to no request'));
        return true;
      }
      if (!response.take(packet)) return false;
      offset += 1;
      wire.sequenceId = FIRST_SEQUENCE_ID;
      if (offset === 2) outcome.onFirst();
      else if (offset > 2)
        outcome.onEnd([opening.fault, responses[1]?.fault ?? null, responses[2]?.fault ?? null]);
      return offset > 2;
    },
    onResult: (error) => outcome.onLost(error),
  });
  return true;
}

function encodePart({ statement, values }: PairPart): Buffer | null {
  return isReadable(statement) ? encodeExecute(statement.id, values, PACKET_BYTES_MAX) : null;
}

const nothing = (): void => undefined;
/** A placeholder for the statement of a command, because its counts are ignored. */
export const NO_STATEMENT: WireStatement = { id: 0, definitions: [], layout: null };
export const NO_FEED: RowFeed<unknown> = {
  columns: nothing,
  row: nothing,
  layout: nothing,
  wireRow: nothing,
  counts: nothing,
  finish: nothing,
  abandon: nothing,
};

import { ExecuteResponse, isReadable } from './execute-response.js';
import { FIRST_SEQUENCE_ID, type DriverWire } from './driver-wire.js';
import { encodeExecute, PACKET_BYTES_MAX } from './encode-execute.js';
import type { PairPart } from './execute-pair.js';

export interface ExecutePart extends PairPart {
  /** See `ResponseOptions`. */
  readonly takesAll: boolean;
  /** Called with the size of each packet of rows before the next one is read. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

export interface ExecuteOutcome {
  onEnd(): void;
  /** Receives `Answer.fault`, or the driver's error for a lost connection. */
  onFault(error: unknown): void;
  /** The packet is not a valid response, so the connection must not be used again. */
  onDisorder(error: Error): void;
}

/**
 * Sends one EXECUTE and reads its response directly from the packets. Returns false, and sends nothing, when
 * it is too large or not readable this way.
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

import { Answer, isReadable, type WireStatement } from './answer.js';
import { FIRST_SEQUENCE_ID, type DriverWire } from './driver-wire.js';
import { encodeExecute } from './encode-execute.js';
import type { BindValue } from '../pool-types.js';
import type { RowFeed } from '../pool-row-feed.js';

/** A prepared statement with its values, and where its answer goes. */
export interface PairPart {
  readonly statement: WireStatement;
  readonly values: readonly BindValue[];
  readonly feed: RowFeed<unknown>;
}

export interface PairOutcome {
  /** The first answer is over; the second statement runs by now. */
  onFirst(): void;
  /** Both are over, each with what `Answer.fault` tells. */
  onEnd(faults: readonly [Error | null, Error | null]): void;
  onDisorder(error: Error): void;
  /** The driver says that the connection is lost. */
  onLost(error: Error): void;
}

/**
 * Sends two EXECUTEs in one write, the second whatever becomes of the first, and reads their answers in order. False when
 * they are too large or not readable so: nothing was sent.
 */
export function startExecutePair(wire: DriverWire, first: PairPart, second: PairPart, outcome: PairOutcome): boolean {
  const parts = [first, second].map(({ statement, values }) => (isReadable(statement) ? encodeExecute(statement.id, values) : null));
  const bytes = parts.filter((part) => part !== null);
  if (bytes.length < parts.length) return false;
  const answers = [first, second].map(({ statement, feed }) => new Answer(statement, feed, { hasMore: wire._mariadbExtendedMetadata, takesAll: false }));
  let at = 0;
  wire.addCommand({
    execute(packet) {
      if (packet === undefined) {
        wire.sequenceId = FIRST_SEQUENCE_ID;
        wire.compressedSequenceId = 0;
        wire.write(Buffer.concat(bytes));
        return false;
      }
      const answer = answers[at] as Answer;
      if (answer.isAwaited && packet.sequenceId !== FIRST_SEQUENCE_ID) {
        outcome.onDisorder(new Error('the server sent what was not asked for'));
        return true;
      }
      if (!answer.take(packet)) return false;
      at += 1;
      wire.sequenceId = FIRST_SEQUENCE_ID;
      if (at === 1) outcome.onFirst();
      else outcome.onEnd([answers[0]?.fault ?? null, answers[1]?.fault ?? null]);
      return at > 1;
    },
    onResult: (error) => outcome.onLost(error),
  });
  return true;
}

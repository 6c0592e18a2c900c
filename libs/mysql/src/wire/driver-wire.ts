import type { Connection, PrepareStatementInfo } from 'mysql2';

/**
 * What a lane uses of the driver beyond its types: a command of our own in its queue, and its socket. The version is
 * pinned; `lane.int.test.ts` is what an upgrade has to pass.
 */
export interface DriverWire {
  /** The number that the driver expects of the next packet. */
  sequenceId: number;
  compressedSequenceId: number;
  /** Starts the command at once when nothing else runs. */
  addCommand(command: WireCommand): unknown;
  write(bytes: Uint8Array): void;
  /** MariaDB puts a block more into each column definition. */
  readonly _mariadbExtendedMetadata: boolean;
}

/** Called once without a packet when its turn comes, then for each packet, until it gives true. Must not throw: that ends the connection. */
export interface WireCommand {
  execute(packet: WirePacket | undefined): boolean;
  /** The connection is gone. */
  onResult(error: Error): void;
}

/** The driver uses one instance again and again: nothing of it may be kept but the bytes. */
export interface WirePacket {
  readonly buffer: Buffer;
  /** Of the first byte behind the header. */
  readonly offset: number;
  readonly end: number;
  /** Within one answer, from `FIRST_SEQUENCE_ID` on. */
  readonly sequenceId: number;
}

/**
 * Of the first packet of an answer. One with another number was not asked for, such as the word of a server that stops:
 * were it taken for an answer, each answer behind it would be given to the wrong caller.
 */
export const FIRST_SEQUENCE_ID = 1;

export function wireOf(connection: Connection): DriverWire {
  return connection as unknown as DriverWire;
}

/** The server's number of a prepared statement. */
export function statementIdOf(statement: PrepareStatementInfo): number {
  return (statement as unknown as { readonly id: number }).id;
}

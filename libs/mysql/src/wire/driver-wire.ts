import type { Connection, PrepareStatementInfo } from 'mysql2';

/**
 * The parts of the driver that a pipelined connection uses beyond its public types: a custom command in its
 * queue, and its socket. The driver's version is pinned. An upgrade must pass
 * `pipelined-reads.int.test.ts`.
 */
export interface DriverWire {
  /** The sequence number that the driver expects of the next packet. */
  sequenceId: number;
  compressedSequenceId: number;
  /** Starts the command immediately when no other one runs. */
  addCommand(command: WireCommand): unknown;
  write(bytes: Uint8Array): void;
  /** MariaDB adds another block to each column definition. */
  readonly _mariadbExtendedMetadata: boolean;
}

/**
 * Called without a packet when the command starts, then for each packet until it returns true. It must not
 * throw, because that ends the connection.
 */
export interface WireCommand {
  execute(packet: WirePacket | undefined): boolean;
  /** Called when the connection is lost. */
  onResult(error: Error): void;
}

/** The driver reuses one instance, so only the bytes may be kept. */
export interface WirePacket {
  readonly buffer: Buffer;
  /** The position of the first byte after the header. */
  readonly offset: number;
  readonly end: number;
  /** Counts within one response, starting at `FIRST_SEQUENCE_ID`. */
  readonly sequenceId: number;
}

/**
 * The sequence number of the first packet of a response. A packet with another number was not requested, such
 * as a shutdown notice. Taking it for a response would assign every later response to the wrong caller.
 */
export const FIRST_SEQUENCE_ID = 1;

export function wireOf(connection: Connection): DriverWire {
  return connection as unknown as DriverWire;
}

/** Returns the server's id of a prepared statement. */
export function statementIdOf(statement: PrepareStatementInfo): number {
  return (statement as unknown as { readonly id: number }).id;
}

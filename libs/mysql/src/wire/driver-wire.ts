import type { Connection, PrepareStatementInfo } from 'mysql2';

/**
 * The non-public parts of the driver that a pipelined connection uses: a custom command in its
 * queue, and its socket. The driver's version is pinned. An upgrade must pass
 * `pipelined-reads.int.test.ts`.
 */
export interface DriverWire {
  /** The sequence number that the driver expects of the next packet. */
  sequenceId: number;
  compressedSequenceId: number;
  /** Adds the command to the driver's queue. It starts immediately if no other command is running. */
  addCommand(command: WireCommand): unknown;
  write(bytes: Uint8Array): void;
  /** Whether MariaDB adds another block to each column definition. */
  readonly _mariadbExtendedMetadata: boolean;
}

/**
 * A command in the driver's queue. `execute` is called once without a packet when the command starts, then
 * with each packet until it returns true. It must not throw, because an error would end the connection.
 */
export interface WireCommand {
  execute(packet: WirePacket | undefined): boolean;
  /** Called when the connection is lost. */
  onResult(error: Error): void;
}

/**
 * A packet of the protocol. The driver reuses one packet object, so a reader may keep the bytes but not the
 * object.
 */
export interface WirePacket {
  readonly buffer: Buffer;
  /** The position of the first byte after the header. */
  readonly offset: number;
  readonly end: number;
  /** The number of the packet within its response. The first packet has the number `FIRST_SEQUENCE_ID`. */
  readonly sequenceId: number;
}

/**
 * The sequence number of the first packet of a response. A packet with another number was not requested, such
 * as a notice that the server shuts down. If such a packet counted as a response, all later responses would
 * go to the wrong callers.
 */
export const FIRST_SEQUENCE_ID = 1;

export function wireOf(connection: Connection): DriverWire {
  return connection as unknown as DriverWire;
}

/** Returns the server's id of a prepared statement. */
export function statementIdOf(statement: PrepareStatementInfo): number {
  return (statement as unknown as { readonly id: number }).id;
}

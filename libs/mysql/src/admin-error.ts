/** What the server said. Its text is for logs and for schema authors, never for a tenant's callers. */
export interface ServerFault {
  /** The server's error number; 0 for a fault of the connection itself. */
  readonly errno: number;
  readonly code: string;
  readonly message: string;
  /** The connection is gone: whether the statement took effect is unknown. */
  readonly isConnectionLost: boolean;
}

const LOST_CODES = new Set([
  'PROTOCOL_CONNECTION_LOST', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'PROTOCOL_SEQUENCE_TIMEOUT',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR', 'PROTOCOL_ENQUEUE_AFTER_QUIT',
]);
/** Server shutdown, killed session; a node that has left its cluster, which does nothing more for this session. */
const LOST_NUMBERS = new Set([1047, 1053, 1927, 2006, 2013, 4031]);

/** The driver's words to a statement on a connection that it has seen end: no code comes with them. */
const SENT_TOO_LATE = "Can't add new command when connection is in closed state";

/** The fault that a driver error carries; null when `thrown` did not come from the driver. */
export function readServerFault(thrown: unknown): ServerFault | null {
  if (!(thrown instanceof Error)) return null;
  const error = thrown as Error & { errno?: unknown; code?: unknown; sqlState?: unknown; sqlMessage?: unknown; fatal?: unknown };
  const errno = typeof error.errno === 'number' && error.errno > 0 ? error.errno : 0;
  // The driver has names for some of the servers' numbers only: 1901 or 1969 of MariaDB come with a state and no code.
  const isServerPacket = errno > 0 && typeof error.sqlState === 'string';
  const code = typeof error.code === 'string' ? error.code : isServerPacket ? `ER_${errno}` : error.message === SENT_TOO_LATE ? 'PROTOCOL_CONNECTION_LOST' : null;
  if (code === null) return null;
  const message = typeof error.sqlMessage === 'string' ? error.sqlMessage : error.message;
  const isConnectionLost = LOST_CODES.has(code) || LOST_NUMBERS.has(errno);
  if (errno === 0 && !isConnectionLost && error.fatal !== true) return null;
  return { errno, code, message, isConnectionLost };
}

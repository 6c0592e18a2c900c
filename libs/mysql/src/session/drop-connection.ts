import type { Duplex } from 'node:stream';
import type { Connection } from 'mysql2';

/**
 * Ends a connection at once. The driver's `destroy` sends a FIN and waits. A server that is blocked in
 * sending unread rows would stay blocked despite a KILL, and keep its table lock until its own timeout.
 */
export function dropConnection(connection: Connection): void {
  connection.destroy();
  (connection as unknown as { readonly stream?: Duplex }).stream?.destroy();
}

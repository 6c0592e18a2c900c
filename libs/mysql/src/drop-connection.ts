import type { Duplex } from 'node:stream';
import type { Connection } from 'mysql2';

/**
 * Ends a connection at once. The driver's own `destroy` sends a FIN and waits: a server that is blocked in sending rows
 * nobody reads would stay so, KILL or not, and hold the table until its own time-out.
 */
export function dropConnection(connection: Connection): void {
  connection.destroy();
  (connection as unknown as { readonly stream?: Duplex }).stream?.destroy();
}

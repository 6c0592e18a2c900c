import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { pendingResponse, whenSilent } from '@rowhouse/runtime';

/**
 * Closes connections without cutting off a request that has already arrived. Before a timer closes a socket,
 * the socket is read once more.
 */

const SWEEP_INTERVAL_MS = 25;

/**
 * Closes connections whose keep-alive time is over. Node's own timer would close them without a last read of
 * the socket.
 */
export function endIdleConnections(server: Server): void {
  server.on('timeout', (socket: Socket) => {
    // A connection with a running response has a timer of its own.
    if (pendingResponse(socket) !== null) return;
    whenSilent(socket, () => socket.destroy());
  });
}

/**
 * Closes the server. `close` stops accepting connections, and settles after the last one has closed.
 * Connections left after `inFlightMs` are cut.
 */
export async function closeServer(
  server: Server,
  close: () => Promise<unknown>,
  inFlightMs: number,
): Promise<void> {
  await new Promise(setImmediate);
  const sweeper = setInterval(() => setImmediate(() => server.closeIdleConnections()), SWEEP_INTERVAL_MS);
  const cut = setTimeout(() => server.closeAllConnections(), inFlightMs);
  try {
    await close();
  } finally {
    clearInterval(sweeper);
    clearTimeout(cut);
  }
}

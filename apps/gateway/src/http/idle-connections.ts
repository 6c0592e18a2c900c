import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { pendingResponse, whenSilent } from '@rowhouse/runtime';

/**
 * These functions close connections without cutting off a request that has already arrived. For this, the
 * socket is read once more before a timer closes it.
 */

const SWEEP_INTERVAL_MS = 25;

/**
 * Closes connections whose keep-alive time has ended. Node's own timer would close them without reading the
 * socket once more.
 */
export function endIdleConnections(server: Server): void {
  server.on('timeout', (socket: Socket) => {
    // While a response is being sent, the connection has another timer.
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

import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { answerUnderWay, whenSilent } from '@rowhouse/runtime';

/** Ends connections without cutting off a request that has arrived already: whatever a timer wants to end is read once more before. */

const SWEEP_INTERVAL_MS = 25;

/** Takes the end of connections that were kept alive for long enough into its own hands. */
export function endIdleConnections(server: Server): void {
  server.on('timeout', (socket: Socket) => {
    // Answers that may take their time have a clock of their own.
    if (answerUnderWay(socket) !== null) return;
    whenSilent(socket, () => socket.destroy());
  });
}

/** `close` stops taking connections, and settles when the last one is gone; what is left after `inFlightMs` is cut. */
export async function closeServer(server: Server, close: () => Promise<unknown>, inFlightMs: number): Promise<void> {
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

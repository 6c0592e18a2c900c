import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Ends connections without cutting off a request that has arrived already. Timers run before sockets are read: in a
 * process that was held up, a connection looks idle although its next request lies in the system's buffer, and to close
 * it then is a reset for a client that did nothing wrong. So whatever a timer wants to end is read once more before.
 */

const SWEEP_INTERVAL_MS = 25;

/** Reads all sockets, then runs `act`, or `otherwise` where bytes have come. Neither, where the connection is gone. */
export function whenSilent(socket: Socket, act: () => void, otherwise: () => void = () => undefined): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.destroyed) return;
    if (socket.bytesRead === bytesRead) act();
    else otherwise();
  });
}

/** Node has no public name for it. */
export function answerUnderWay(socket: Socket): ServerResponse | null {
  return (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}

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

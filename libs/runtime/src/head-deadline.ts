import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Long enough for a client that is about to send a request. */
const WAIT_MS = 2_000;

/**
 * Returns a function that closes a rejected connection when no complete request head arrives in time.
 * Rejected connections only stay open to receive their error. Without the deadline, a client that sends
 * nothing would keep one as long as an accepted connection.
 */
export function createHeadDeadline(server: Server, waitMs = WAIT_MS): (socket: Socket) => void {
  const waiting = new Set<Socket>();
  server.on('request', ({ socket }: IncomingMessage) => {
    if (waiting.size > 0) waiting.delete(socket);
  });
  return (socket) => {
    const end = (): void => {
      if (waiting.delete(socket)) socket.destroy();
    };
    waiting.add(socket);
    // Timers run before sockets are read. After a stall of the process, the request may still be in the
    // system's buffer.
    const clock = setTimeout(() => setImmediate(end), waitMs).unref();
    socket.once('close', () => {
      clearTimeout(clock);
      waiting.delete(socket);
    });
  };
}

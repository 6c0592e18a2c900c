import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** Long enough for a client that means to ask something. */
const WAIT_MS = 2_000;

/**
 * For connections that stay only to be told why they are refused: one on which no whole head of a request has come in
 * time is closed. Otherwise whoever sends a byte of it, or none, would keep it as long as a client that is served.
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
    // Timers run before sockets are read: in a process that was held up, the request may lie in the system's buffer.
    const clock = setTimeout(() => setImmediate(end), waitMs).unref();
    socket.once('close', () => {
      clearTimeout(clock);
      waiting.delete(socket);
    });
  };
}

import type { Socket } from 'node:net';

/**
 * Reads all sockets, then runs `act`, or `otherwise` where bytes have come. Neither, where the connection is gone.
 *
 * Timers run before sockets are read: in a process that was held up, a connection looks idle although its next request
 * lies in the system's buffer, and to close it then is a reset for a client that did nothing wrong.
 */
export function whenSilent(socket: Socket, act: () => void, otherwise: () => void = () => undefined): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.destroyed) return;
    if (socket.bytesRead === bytesRead) act();
    else otherwise();
  });
}

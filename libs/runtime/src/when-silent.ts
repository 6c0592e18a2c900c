import type { Socket } from 'node:net';

/**
 * Reads all sockets, then calls `act`, or `otherwise` if bytes have arrived. Calls neither when the
 * connection is gone.
 *
 * Timers run before sockets are read. After a stall of the process, a connection looks idle although its next
 * request is in the system's buffer. Closing it then would reset a client that did nothing wrong.
 */
export function whenSilent(socket: Socket, act: () => void, otherwise: () => void = () => undefined): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.destroyed) return;
    if (socket.bytesRead === bytesRead) act();
    else otherwise();
  });
}

import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The wait in milliseconds. It suffices for a client that is about to send a request. */
const WAIT_MS = 2_000;

/** The maximum time until a request head is complete, in milliseconds. */
const HEAD_MS_MAX = 10_000;
/** The number of checks per timeout. By default Node checks every 30 s, so a head could take up to 40 s. */
const CHECKS_PER_TIMEOUT = 4;

/** Limits how long the head of a request may take. */
export interface HeadClock {
  /**
   * Options for `http.createServer`. Late heads are reported by `clientError` with ERR_HTTP_REQUEST_TIMEOUT.
   */
  readonly options: Pick<ServerOptions, 'headersTimeout' | 'connectionsCheckingInterval'>;
  /**
   * Ends a connection whose head is late. If bytes of the head are still unread in the socket, the connection
   * stays open. `reject` sends the error and ends the connection.
   */
  endLate(socket: Socket, reject: () => void): void;
}

export function createHeadClock(headMsMax = HEAD_MS_MAX): HeadClock {
  return {
    options: { headersTimeout: headMsMax, connectionsCheckingInterval: headMsMax / CHECKS_PER_TIMEOUT },
    endLate(socket, reject) {
      const { bytesWritten } = socket;
      const end = (): void => {
        if (socket.destroyed || socket.bytesWritten > bytesWritten || pendingResponse(socket) !== null)
          return;
        // If a client opened a connection in advance and sent nothing, it would take the error for the
        // response to a later request. Such a connection is closed without an error.
        if (socket.bytesRead === 0) socket.destroy();
        else reject();
      };
      // Node reports a late connection only once. A head that has started by then gets the same time again.
      whenSilent(socket, end, () => void setTimeout(end, headMsMax).unref());
    },
  };
}

/**
 * Lets Node read all sockets, and then calls `act`, or `otherwise` if bytes have arrived. Calls neither when
 * the connection is gone.
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

/** Returns the response that a connection is currently writing. Node has no public name for it. */
export function pendingResponse(socket: Socket): ServerResponse | null {
  return (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}

/**
 * Returns a function that closes a rejected connection when no complete request head arrives in time.
 * Rejected connections only stay open to receive their error. Without the deadline, a client that sends
 * nothing would keep a rejected connection open as long as an accepted one.
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

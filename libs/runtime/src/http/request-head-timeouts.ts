import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The time in milliseconds for which a rejected connection stays open. It is sufficient for a client that is
 * about to send a request.
 */
const WAIT_MS = 2_000;

/** The maximum time in milliseconds until all headers of a request have arrived. */
const HEAD_MS_MAX = 10_000;
/**
 * The number of checks during one timeout. By default, Node checks every 30 s, so headers could take up to 40
 * s.
 */
const CHECKS_PER_TIMEOUT = 4;

/** Limits the time that the headers of a request may take. */
export interface HeadClock {
  /**
   * The options for `http.createServer`. If headers are late, the event `clientError` has the code
   * ERR_HTTP_REQUEST_TIMEOUT.
   */
  readonly options: Pick<ServerOptions, 'headersTimeout' | 'connectionsCheckingInterval'>;
  /**
   * Ends a connection whose headers are late. If bytes of them have arrived at the socket but are not yet
   * read, the connection stays open. `reject` sends the error and ends the connection.
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
        // The client opened a connection in advance and sent nothing. It would treat an error as the response
        // to a later request, so the connection is closed without one.
        if (socket.bytesRead === 0) socket.destroy();
        else reject();
      };
      // Node reports a late connection only once. If headers have begun to arrive by then, they get the same
      // time again.
      whenSilent(socket, end, () => void setTimeout(end, headMsMax).unref());
    },
  };
}

/**
 * Waits until Node has read all sockets. Then calls `otherwise` if bytes have arrived on this connection, and
 * `act` if not. Calls neither if the connection was closed.
 *
 * Timers run before sockets are read. If the process was blocked, a connection therefore looks idle although
 * its next request is in the buffer of the operating system. Closing it would reset the client's connection,
 * although the client did nothing wrong.
 */
export function whenSilent(socket: Socket, act: () => void, otherwise: () => void = () => undefined): void {
  const { bytesRead } = socket;
  setImmediate(() => {
    if (socket.destroyed) return;
    if (socket.bytesRead === bytesRead) act();
    else otherwise();
  });
}

/** Returns the response that a connection is currently writing. Node has no public property for it. */
export function pendingResponse(socket: Socket): ServerResponse | null {
  return (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}

/**
 * Returns a function that closes a rejected connection if the headers of a request do not arrive in time. A
 * rejected connection only stays open to receive its error. Without this deadline, a client that sends
 * nothing could keep it open as long as an accepted connection.
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
    // Timers run before sockets are read. If the process was blocked, the request may still be in the buffer
    // of the operating system.
    const clock = setTimeout(() => setImmediate(end), waitMs).unref();
    socket.once('close', () => {
      clearTimeout(clock);
      waiting.delete(socket);
    });
  };
}

import type { ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { pendingResponse } from './pending-response.js';
import { whenSilent } from './when-silent.js';

/** The maximum time until a request head is complete. */
const HEAD_MS_MAX = 10_000;
/** Node checks every 30 s by default, which would allow up to 40 s for a head. */
const LOOKS_PER_TIME = 4;

/** Limits how long the head of a request may take. */
export interface HeadClock {
  /**
   * Options for `http.createServer`. Late heads are reported by `clientError` with ERR_HTTP_REQUEST_TIMEOUT.
   */
  readonly options: Pick<ServerOptions, 'headersTimeout' | 'connectionsCheckingInterval'>;
  /**
   * Ends a connection whose head is late, unless the bytes are still unread in the socket. `reject` sends the
   * error and ends the connection.
   */
  endLate(socket: Socket, refuse: () => void): void;
}

export function createHeadClock(headMsMax = HEAD_MS_MAX): HeadClock {
  return {
    options: { headersTimeout: headMsMax, connectionsCheckingInterval: headMsMax / LOOKS_PER_TIME },
    endLate(socket, refuse) {
      const { bytesWritten } = socket;
      const end = (): void => {
        if (socket.destroyed || socket.bytesWritten > bytesWritten || pendingResponse(socket) !== null)
          return;
        // A client that opened a connection in advance and sent nothing would take the error for the response
        // to a later request.
        if (socket.bytesRead === 0) socket.destroy();
        else refuse();
      };
      // Node reports a connection once. A head that began by then gets the same time again.
      whenSilent(socket, end, () => void setTimeout(end, headMsMax).unref());
    },
  };
}

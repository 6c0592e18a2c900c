import type { ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { answerUnderWay } from './answer-under-way.js';
import { whenSilent } from './when-silent.js';

/** Until the head of a request is there. */
const HEAD_MS_MAX = 10_000;
/** Node's own is 30 s: heads would have up to 40 s. */
const LOOKS_PER_TIME = 4;

/** How long the head of a request may take. */
export interface HeadClock {
  /** For `http.createServer`: it tells of late heads by `clientError` with ERR_HTTP_REQUEST_TIMEOUT. */
  readonly options: Pick<ServerOptions, 'headersTimeout' | 'connectionsCheckingInterval'>;
  /** Ends a connection that has no whole head in time, unless the head lies there unread: `refuse` says why and ends it. */
  endLate(socket: Socket, refuse: () => void): void;
}

export function createHeadClock(headMsMax = HEAD_MS_MAX): HeadClock {
  return {
    options: { headersTimeout: headMsMax, connectionsCheckingInterval: headMsMax / LOOKS_PER_TIME },
    endLate(socket, refuse) {
      const { bytesWritten } = socket;
      const end = (): void => {
        if (socket.destroyed || socket.bytesWritten > bytesWritten || answerUnderWay(socket) !== null) return;
        // Who opens a connection ahead and says nothing on it would take an answer for that to a later request.
        if (socket.bytesRead === 0) socket.destroy();
        else refuse();
      };
      // Node tells of it once: what is begun by then has as long again.
      whenSilent(socket, end, () => void setTimeout(end, headMsMax).unref());
    },
  };
}

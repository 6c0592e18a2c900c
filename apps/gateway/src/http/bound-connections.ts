import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@rowhouse/errors';
import { createHeadDeadline, type AddressConnections } from '@rowhouse/runtime';

/** Of what the process may have open: sessions on databases, Redis, files. */
const RESERVED = 512;
/** From this part of the bound on, connections are kept for less time. */
const CROWDED_PART = 0.8;
const CROWDED_KEEP_MS = 5_000;

/** How many clients may be connected. */
export interface ConnectionBound {
  /** For each request. Null: its connection has a place. Else it ends with the answer. */
  refuse(req: IncomingMessage, res: ServerResponse): AppError | null;
}

/**
 * The system bounds what a process has open, and Node closes what comes beyond before anybody can say a word: a reset.
 * Short of that, a connection without a place is told 503 on its first request, and those that have one keep it. The same goes for what one address has beyond its own bound, where there is one.
 */
export function boundConnections(server: Server, byAddress: AddressConnections | null = null, connectionsMax = readConnectionsMax()): ConnectionBound {
  const { keepAliveTimeout: keepMs } = server;
  const guests = new Set<Socket>();
  const expectHead = createHeadDeadline(server);
  let open = 0;

  function settle(change: 1 | -1): void {
    open += change;
    server.keepAliveTimeout = open > connectionsMax * CROWDED_PART ? CROWDED_KEEP_MS : keepMs;
  }

  server.on('connection', (socket: Socket) => {
    settle(1);
    socket.once('close', () => {
      settle(-1);
      guests.delete(socket);
    });
    if (open <= connectionsMax) return;
    // The rest of the reserve is for what serves those who are in.
    if (open > connectionsMax + RESERVED / 2) return void socket.destroy();
    guests.add(socket);
    expectHead(socket);
  });
  return {
    refuse(req, res) {
      const refusal = byAddress?.refuse(req.socket) ?? (guests.has(req.socket) ? full() : null);
      if (refusal !== null) res.shouldKeepAlive = false;
      return refusal;
    },
  };
}

function full(): AppError {
  return new AppError('limit.busy', { retryAfterSeconds: 2, detail: 'The gateway has more connections than it can keep.', internal: 'connections' });
}

/** Infinite where the system does not tell. Node takes all that it may have when it starts. */
function readConnectionsMax(): number {
  try {
    const [, openMax] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return openMax === undefined ? Number.POSITIVE_INFINITY : Math.max(RESERVED, Number(openMax) - RESERVED);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

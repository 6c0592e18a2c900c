import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AddressConnections } from '@rowhouse/admission';
import { AppError } from '@rowhouse/errors';
import { createHeadDeadline } from '@rowhouse/runtime';

/** The file descriptors reserved for database sessions, Redis and files. */
const RESERVED = 512;
/** The part of the limit from which idle connections are closed earlier. */
const CROWDED_PART = 0.8;
const CROWDED_KEEP_MS = 5_000;

/** Limits the number of connected clients. */
export interface ConnectionBound {
  /**
   * Checks the connection of a request. Returns null when the connection may stay. Otherwise the connection
   * closes after the response.
   */
  reject(req: IncomingMessage, res: ServerResponse): AppError | null;
}

/**
 * Limits connections below the limit of the system. Beyond the system's limit Node closes a new connection
 * immediately, and the client sees a reset. Below it, an excess connection gets 503 on its first request, and
 * earlier connections stay open. The same applies to connections beyond the limit for one address, if there
 * is one.
 */
export function boundConnections(
  server: Server,
  byAddress: AddressConnections | null = null,
  connectionsMax = readConnectionsMax(),
): ConnectionBound {
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
    // The rest of the reserve is for serving the connections already admitted.
    if (open > connectionsMax + RESERVED / 2) return void socket.destroy();
    guests.add(socket);
    expectHead(socket);
  });
  return {
    reject(req, res) {
      const rejection = byAddress?.reject(req.socket) ?? (guests.has(req.socket) ? full() : null);
      if (rejection !== null) res.shouldKeepAlive = false;
      return rejection;
    },
  };
}

function full(): AppError {
  return new AppError('limit.busy', {
    retryAfterSeconds: 2,
    detail: 'The gateway has more connections than it can serve.',
    internal: 'connections',
  });
}

/**
 * Returns Infinity when the system does not report a limit. Node raises its limit to the maximum at startup.
 */
function readConnectionsMax(): number {
  try {
    const [, openMax] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return openMax === undefined ? Number.POSITIVE_INFINITY : Math.max(RESERVED, Number(openMax) - RESERVED);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

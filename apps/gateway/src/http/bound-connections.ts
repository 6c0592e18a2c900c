import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AddressConnections } from '@rowhouse/admission';
import { AppError } from '@rowhouse/errors';
import { createHeadDeadline } from '@rowhouse/runtime';

/** The number of file descriptors that are reserved for database sessions, Redis and files. */
const RESERVED = 512;
/**
 * If more than this share of the limit is used, connections that are idle for `CROWDED_IDLE_MS` are closed.
 */
const CROWDED_SHARE = 0.8;
const CROWDED_IDLE_MS = 5_000;

/** Limits the number of connected clients. */
export interface ConnectionBound {
  /**
   * Checks the connection of a request. Returns null when the connection may stay. Otherwise the connection
   * closes after the response.
   */
  reject(req: IncomingMessage, res: ServerResponse): AppError | null;
}

/**
 * Limits the connections of all clients and of each address. A connection beyond a limit gets 503 or 429 on
 * its first request and is closed. The limit is below that of the system, beyond which Node would reset a new
 * connection without a response.
 */
export function boundConnections(
  server: Server,
  byAddress: AddressConnections | null = null,
  connectionsMax = readConnectionsMax(),
): ConnectionBound {
  const { keepAliveTimeout: idleMs } = server;
  const excess = new Set<Socket>();
  const expectHead = createHeadDeadline(server);
  let open = 0;

  function count(change: 1 | -1): void {
    open += change;
    server.keepAliveTimeout = open > connectionsMax * CROWDED_SHARE ? CROWDED_IDLE_MS : idleMs;
  }

  server.on('connection', (socket: Socket) => {
    count(1);
    socket.once('close', () => {
      count(-1);
      excess.delete(socket);
    });
    if (open <= connectionsMax) return;
    // One half of the reserve is for connections that get an error, and the other for serving the admitted
    // ones.
    if (open > connectionsMax + RESERVED / 2) return void socket.destroy();
    excess.add(socket);
    expectHead(socket);
  });
  return {
    reject(req, res) {
      const rejection = byAddress?.reject(req.socket) ?? (excess.has(req.socket) ? full() : null);
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

/** Returns the system's limit of open files without the reserve, or Infinity when it is unknown. */
function readConnectionsMax(): number {
  try {
    const [, openMax] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return openMax === undefined ? Number.POSITIVE_INFINITY : Math.max(RESERVED, Number(openMax) - RESERVED);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

import type { Server } from 'node:http';
import { createServer, type ListenOptions, type Server as TcpServer } from 'node:net';
import { promisify } from 'node:util';

export interface ListenAddress {
  readonly port: number;
  readonly host: string;
  readonly backlog: number;
}

/** Additional listening sockets of a server. */
export interface Listeners {
  readonly count: number;
  /** Settles after the last connection of these sockets has closed. */
  close(): Promise<void>;
}

/** The number of listening sockets, including the server's own. */
const SOCKETS = 8;

/** The option that lets several sockets listen on one port, where the system and Node support it. */
export const SHARED_PORT: Pick<ListenOptions, 'reusePort'> =
  process.platform === 'linux' ? { reusePort: true } : {};

/**
 * Opens additional listening sockets for a server that listens with `SHARED_PORT`. In each iteration of its
 * event loop, Node accepts only one connection from each socket. Under load, the system's queue of new
 * connections would overflow, and clients would be reset seconds later. Versions of Node before 22.12 cannot
 * share a port, so no sockets are opened there.
 */
export async function openMoreListeners(server: Server, listenAddress: ListenAddress): Promise<Listeners> {
  const opened = await Promise.all(
    Array.from({ length: SOCKETS - 1 }, () => openListener(server, listenAddress)),
  );
  const sockets = opened.filter((socket) => socket !== null);
  return {
    count: sockets.length,
    async close() {
      await Promise.all(sockets.map((socket) => promisify(socket.close.bind(socket))()));
    },
  };
}

/** Resolves to null when the port cannot be shared. */
function openListener(server: Server, { port, host, backlog }: ListenAddress): Promise<TcpServer | null> {
  if (SHARED_PORT.reusePort !== true) return Promise.resolve(null);
  // Node's HTTP server uses these options for its own connections.
  const listener = createServer(
    { allowHalfOpen: true, noDelay: true },
    (socket) => void server.emit('connection', socket),
  );
  return new Promise((resolve) => {
    listener.on('error', () => resolve(null));
    listener.listen({ port, host, backlog, ...SHARED_PORT }, () => resolve(listener));
  });
}

/** Rejects with EADDRINUSE if another process listens on the port. A shared port would not report this. */
export async function assertFree({ port, host }: Pick<ListenAddress, 'port' | 'host'>): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen({ port, host }, () => resolve());
  });
  await promisify(probe.close.bind(probe))();
}

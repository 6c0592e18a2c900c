import type { Server } from 'node:http';
import { createServer, type ListenOptions, type Server as TcpServer } from 'node:net';
import { promisify } from 'node:util';

export interface ListeningPlace {
  readonly port: number;
  readonly host: string;
  readonly backlog: number;
}

/** Further listening sockets of one server. */
export interface Listeners {
  readonly count: number;
  /** Settles when their last connection is gone. */
  close(): Promise<void>;
}

/** Together with the first one. */
const SOCKETS = 8;

/** What lets several sockets listen at one place, where the system and Node can. */
export const SHARED_PORT: Pick<ListenOptions, 'reusePort'> = process.platform === 'linux' ? { reusePort: true } : {};

/**
 * Node takes one connection of a listening socket in each turn of its event loop. While the turns are long, since each
 * has many requests, those who come anew wait in the system, however cheap it would be to refuse them. What no longer
 * fits there it acknowledges and then forgets: such a client sends its request and hears nothing, and is reset seconds
 * later. Each socket beside the first takes one more in each turn. `server` must listen by `SHARED_PORT`; on a Node that
 * does not know it (before 22.12) there are none.
 */
export async function listenBeside(server: Server, place: ListeningPlace): Promise<Listeners> {
  const opened = await Promise.all(Array.from({ length: SOCKETS - 1 }, () => openBeside(server, place)));
  const sockets = opened.filter((socket) => socket !== null);
  return {
    count: sockets.length,
    async close() {
      await Promise.all(sockets.map((socket) => promisify(socket.close.bind(socket))()));
    },
  };
}

/** Null where the place cannot be shared. */
function openBeside(server: Server, { port, host, backlog }: ListeningPlace): Promise<TcpServer | null> {
  if (SHARED_PORT.reusePort !== true) return Promise.resolve(null);
  // As Node's HTTP server has its own connections.
  const beside = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void server.emit('connection', socket));
  return new Promise((resolve) => {
    beside.on('error', () => resolve(null));
    beside.listen({ port, host, backlog, ...SHARED_PORT }, () => resolve(beside));
  });
}

/** Throws EADDRINUSE where somebody else listens: a port that may be shared would be shared with them. */
export async function assertFree({ port, host }: Pick<ListeningPlace, 'port' | 'host'>): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen({ port, host }, () => resolve());
  });
  await promisify(probe.close.bind(probe))();
}
